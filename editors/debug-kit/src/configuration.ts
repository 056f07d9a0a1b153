// Launch configurations: defaults, merging, and what is wrong with one.

/** A launch configuration, or a part of one. */
export type Configuration = Record<string, unknown>;

/** What is said about one attribute: the part of JSON schema that editors' manifests use for it. */
export interface Attribute {
  type?: string | string[];
  enum?: unknown[];
  items?: Attribute;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  additionalProperties?: Attribute;
}

/**
 * One configuration out of several, the later ones winning. What is undefined says nothing. The attributes named in `merged` hold
 * objects that are put together key by key; there null is a value like others, since to a debugger it removes a variable.
 */
export function mergeConfigurations(layers: Configuration[], merged: string[] = ['env']): Configuration {
  const result: Configuration = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      if (value === undefined) continue;
      const before = result[key];
      result[key] = merged.includes(key) && isObject(before) && isObject(value) ? { ...before, ...value } : value;
    }
  }
  return result;
}

/**
 * What is wrong with the values of a configuration, a sentence each, in the order of the configuration. Attributes that are not
 * in `attributes` are the editor's own, and pass.
 */
export function configurationProblems(configuration: Configuration, attributes: Record<string, Attribute>): string[] {
  const problems: string[] = [];
  for (const [name, value] of Object.entries(configuration)) {
    const attribute = attributes[name];
    const problem = attribute && value !== undefined ? valueProblem(value, attribute) : undefined;
    if (problem) problems.push(`\`${name}\` ${problem}.`);
  }
  return problems;
}

function valueProblem(value: unknown, attribute: Attribute): string | undefined {
  const types = attribute.type === undefined ? [] : [attribute.type].flat();
  if (types.length && !types.some(type => hasType(value, type)))
    return `has to be ${types.map(withArticle).join(' or ')}, not ${JSON.stringify(value)}`;
  if (attribute.enum && !attribute.enum.includes(value))
    return `has to be one of ${attribute.enum.map(v => JSON.stringify(v)).join(', ')}, not ${JSON.stringify(value)}`;
  if (typeof value === 'number' && (value < (attribute.minimum ?? value) || value > (attribute.maximum ?? value)))
    return `is out of range: ${value}`;
  if (Array.isArray(value)) return listProblem(value, attribute);
  if (isObject(value) && attribute.additionalProperties) {
    for (const [key, part] of Object.entries(value)) {
      const problem = valueProblem(part, attribute.additionalProperties);
      if (problem) return `has an entry "${key}" that ${problem}`;
    }
  }
  return undefined;
}

function listProblem(value: unknown[], attribute: Attribute): string | undefined {
  if (value.length > (attribute.maxItems ?? value.length))
    return `has ${value.length} entries; ${attribute.maxItems} are the most`;
  for (const [i, part] of value.entries()) {
    const problem = attribute.items && valueProblem(part, attribute.items);
    if (problem) return `has an entry ${i} that ${problem}`;
  }
  return undefined;
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null': return value === null;
    case 'array': return Array.isArray(value);
    case 'object': return isObject(value);
    case 'integer': return Number.isInteger(value);
    default: return typeof value === type;
  }
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return (/^[aeio]/.test(type) ? 'an ' : 'a ') + type;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
