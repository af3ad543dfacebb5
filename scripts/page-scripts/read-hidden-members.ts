import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Functions of `in-page/elements/hidden-members.ts`, which the code must have. */
export const HIDDEN_MEMBER_FUNCTIONS = ['hidesMembers', 'readHiddenMember', 'withMembers'];

/** Members of a form or the document that scripts use on lists and texts only. */
const OTHERS_TOO: ReadonlySet<string> = new Set(['length', 'normalize']);
/** Objects that are neither a form nor the document. */
const NO_NODES = /^(?:[A-Z]\w*|self|window|globalThis)$/;

type Node = { type: string; start: number; end: number; [field: string]: unknown };
type Link = { node: Node; isOptional: boolean };

let known: ReadonlySet<string> | undefined;

/** Lets code read DOM members of forms and of the document even where page elements have the names of these members. */
export function readHiddenMembers(code: string): string {
  const { program, errors } = parseSync('page-script.js', code, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`The page scripts cannot be parsed: ${errors[0]?.message}`);
  known ??= domMembers();
  const writer = new Writer(code, known);
  const text = writer.write(asNode(program));
  return writer.places === 0
    ? text
    : `let ${Array.from({ length: writer.places }, (_, at) => placeName(at)).join()};\n${text}`;
}

class Writer {
  /** Number of variables that hold an object while its member is read. */
  places = 0;
  readonly #code: string;
  readonly #members: ReadonlySet<string>;

  constructor(code: string, members: ReadonlySet<string>) {
    this.#code = code;
    this.#members = members;
  }

  write(node: Node): string {
    if (node.type === 'FunctionDeclaration' && HIDDEN_MEMBER_FUNCTIONS.includes(nameOf(node['id'])))
      return this.#source(node);
    if (node.type === 'ChainExpression' || isLink(node)) return this.#writeChain(node);
    if (/Function/.test(node.type)) return this.#writeFunction(node);
    if (node.type === 'ForOfStatement' && node['await'] !== true) return this.#writeLoop(node);
    const tag = node.type === 'TaggedTemplateExpression' ? asNode(node['tag']) : node;
    if (this.#picksMember(node) || (tag !== node && this.#isMember(tag))) {
      throw new Error(`Take DOM members in a simple \`const { … } = object\`, unlike ${this.#source(node)}`);
    }
    if (node.type === 'VariableDeclarator' && this.#picksMember(node['id'])) {
      return `${this.#inside(asNode(node['id']))}=withMembers(${this.write(asNode(node['init']))})`;
    }
    return this.#inside(node);
  }

  /** The node's text, with its parts written anew. */
  #inside(node: Node): string {
    let [text, at] = ['', node.start];
    for (const part of partsOf(node)) {
      text += this.#code.slice(at, part.start) + (isWritten(node, part) ? this.#inside(part) : this.write(part));
      at = part.end;
    }
    return text + this.#code.slice(at, node.end);
  }

  #source({ start, end }: Node): string {
    return this.#code.slice(start, end);
  }

  /** Members and calls one after the other, such as `a?.b(c).d`. */
  #writeChain(node: Node): string {
    const links: Link[] = [];
    let at = node.type === 'ChainExpression' ? asNode(node['expression']) : node;
    while (isLink(at)) {
      links.unshift({ node: at, isOptional: at['optional'] === true });
      at = asNode(at['object'] ?? at['callee']);
    }
    let text = this.write(at);
    const guards: string[] = [];
    let self = '';
    for (const [index, { node: link, isOptional }] of links.entries()) {
      if (isOptional) {
        const place = this.#place();
        guards.push(`(${place}=${text})==null?void 0:`);
        text = place;
      }
      if (link.type === 'CallExpression') {
        const given = listOf(link['arguments']).map((one) => this.write(one));
        text += self === '' ? `(${given.join()})` : `.call(${[self, ...given].join()})`;
        self = '';
        continue;
      }
      const next = links[index + 1];
      const isCalled = next?.node.type === 'CallExpression';
      const isHidden = this.#isMember(link) && !(index === 0 && NO_NODES.test(text));
      const key =
        link['computed'] === true
          ? `[${this.write(asNode(link['property']))}]`
          : `.${this.#source(asNode(link['property']))}`;
      if (!isHidden && !(isCalled && next.isOptional)) {
        text += key;
        continue;
      }
      const isSimple = /^\w+$/.test(text);
      const object = isSimple ? text : this.#place();
      const name = JSON.stringify(nameOf(link['property']));
      const read = isHidden
        ? `hidesMembers(${object})?readHiddenMember(${object},${name}):${object}${key}`
        : `${object}${key}`;
      text = isSimple ? `(${read})` : `(${object}=${text},${read})`;
      if (isCalled) self = object;
    }
    return guards.length === 0 ? text : `(${guards.join('')}${text})`;
  }

  #writeFunction(node: Node): string {
    const params = listOf(node['params']);
    const picking = params.filter((param) => this.#picksMember(param));
    if (picking.length === 0) return this.#inside(node);
    const body = asNode(node['body']);
    const names = new Map(picking.map((param) => [param, this.#localName()]));
    const heads = params.map((param) => names.get(param) ?? this.write(param));
    const [first, last] = [params[0] ?? body, params.at(-1) ?? body];
    const isBlock = body.type === 'BlockStatement';
    const before = this.#code.slice(node.start, first.start);
    const between = this.#code.slice(last.end, body.start);
    const opened = before.endsWith('(') ? before : `${before}(`;
    const closed = before.endsWith('(') ? between : `)${between}`;
    const picks = picking.map((param) => `const ${this.#inside(param)}=withMembers(${names.get(param)});`).join('');
    const inner = isBlock ? `{${picks}${this.write(body).slice(1)}` : `{${picks}return ${this.write(body)}}`;
    // An object as the result of an arrow function stands in brackets, which belong to the text between.
    return isBlock
      ? opened + heads.join() + closed + inner
      : opened + heads.join() + closed.replace(/\(\s*$/, '') + inner;
  }

  #writeLoop(node: Node): string {
    const left = asNode(node['left']);
    const [declared] = left.type === 'VariableDeclaration' ? listOf(left['declarations']) : [];
    if (declared === undefined || !this.#picksMember(declared['id'])) return this.#inside(node);
    const name = this.#localName();
    const body = this.write(asNode(node['body']));
    return `for(const ${name} of ${this.write(asNode(node['right']))}){const ${this.#inside(asNode(declared['id']))}=withMembers(${name});${body}}`;
  }

  /** True for a pattern that takes a DOM member from an object. */
  #picksMember(pattern: unknown): boolean {
    const node = asNode(pattern);
    if (node.type !== 'ObjectPattern') return false;
    return listOf(node['properties']).some((one) => one.type === 'Property' && this.#members.has(nameOf(one['key'])));
  }

  #isMember(link: Node): boolean {
    return link['computed'] !== true && this.#members.has(nameOf(link['property']));
  }

  #place(): string {
    this.places += 1;
    return placeName(this.places - 1);
  }

  #localName(): string {
    return `${this.#place()}_`;
  }
}

function placeName(at: number): string {
  return `periscopeAt${at}`;
}

function isLink(node: Node): boolean {
  return node.type === 'MemberExpression' || node.type === 'CallExpression';
}

/** True for a part that is assigned, changed, deleted or constructed, and not read. */
function isWritten(node: Node, part: Node): boolean {
  if (part.type !== 'MemberExpression') return false;
  if (node.type === 'AssignmentExpression') return part === node['left'];
  if (node.type === 'NewExpression') return part === node['callee'];
  return node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node['operator'] === 'delete');
}

function partsOf(node: Node): Node[] {
  const parts = Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
  const inOrder = parts.toSorted((one, other) => one.start - other.start);
  // `{ a }` has its name twice.
  return inOrder.filter((part, at) => part.start >= (inOrder[at - 1]?.end ?? 0));
}

/** Names of the members of forms and documents, as TypeScript declares them. */
function domMembers(): ReadonlySet<string> {
  const compiler = createRequire(import.meta.url).resolve(
    `@typescript/typescript-${process.platform}-${process.arch}/package.json`,
  );
  const file = join(dirname(compiler), 'lib/lib.dom.d.ts');
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  const declared = Map.groupBy(
    listOf(asNode(program)['body']).filter(({ type }) => type === 'TSInterfaceDeclaration'),
    ({ id }) => nameOf(id),
  );
  const names = new Set<string>();
  const open = ['HTMLFormElement', 'Document'];
  for (const name of open) {
    for (const { body, extends: bases } of declared.get(name) ?? []) {
      for (const { key } of listOf(asNode(body)['body'])) if (isNode(key)) names.add(nameOf(key));
      for (const { expression } of listOf(bases)) if (!open.includes(nameOf(expression))) open.push(nameOf(expression));
    }
  }
  return new Set([...names].filter((name) => !OTHERS_TOO.has(name)));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function asNode(value: unknown): Node {
  if (!isNode(value)) throw new Error('A part of a page script is missing.');
  return value;
}

function listOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function nameOf(value: unknown): string {
  const name = isNode(value) ? (value['name'] ?? value['value']) : null;
  return typeof name === 'string' ? name : '';
}
