// Documents that were changed in the editor but not in their files: a build would read something else than what is shown.

/** A document of the editor. */
export interface OpenDocument {
  /** The name that a message shows. */
  name: string;
  /** Whether its text differs from its file. */
  isDirty(): boolean;
  /** Writes it; false where that failed or was refused. May throw, which counts as false. */
  save(): Promise<boolean>;
}

/** Whether all is saved; else a message that names what is not. */
export type Saved = { ok: true } | { ok: false; message: string };

/** Saves each dirty document. A launch has to be rejected where this says so: it would run another text than the one shown. */
export async function saveOrReject(documents: OpenDocument[]): Promise<Saved> {
  const unsaved: string[] = [];
  for (const document of documents) {
    if (!document.isDirty()) continue;
    const saved = await document.save().catch(() => false);
    if (!saved || document.isDirty()) unsaved.push(document.name);
  }
  if (unsaved.length === 0) return { ok: true };
  return { ok: false, message: `Not started: ${unsaved.join(', ')} could not be saved, so the program would not be what you see.` };
}
