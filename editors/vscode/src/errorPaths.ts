// The answer of `sx/errorPaths`, as rows of a list.

/** A place of the protocol. */
export interface Range { start: { line: number; character: number }; end: { line: number; character: number } }
/** Where an error is raised, passed on or handled. */
export interface Step { kind: string; uri: string; range: Range; function: string }
/** All ways of errors from a `raise` (`forward`) or to a `try`, `catch` or `or` (`back`). */
export interface ErrorPaths { direction: 'forward' | 'back'; tags: string[]; paths: { tag: string; steps: Step[] }[] }
/** A row: the head of a path (without `step`), or one of its steps. */
export interface PathRow { label: string; description: string; step?: Step }

const tagName = (tag: string) => (tag.startsWith('error.') ? tag : `error.${tag}`);

/** What a list of the paths shows, in their order. `name` is how a file is called. */
export function pathRows(found: ErrorPaths | null | undefined, name: (uri: string) => string): PathRow[] {
  return (found?.paths ?? []).flatMap(({ tag, steps }) => [
    { label: tagName(tag), description: `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}` },
    ...steps.map(step => ({ label: `${step.kind} in ${step.function}`,
                            description: `${name(step.uri)}:${step.range.start.line + 1}:${step.range.start.character + 1}`, step })),
  ]);
}

/** The title of the list. */
export function pathsTitle(found: ErrorPaths): string {
  const tags = found.tags.map(tagName).join(', ');
  return found.direction === 'forward' ? `Where ${tags} goes from here` : `Where ${tags} comes from`;
}
