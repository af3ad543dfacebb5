import { createContext, useContext } from 'hono/jsx';
import type { Child, JSX } from 'hono/jsx';
import { FOCUS_ON_LOAD } from '#web/layout.tsx';
import type { ConfirmQuestion } from './confirm.tsx';

/** CSRF token for the forms of a page, which the frame of the page provides. */
export const FormToken = createContext('');

/** A problem with a form; `field` names the field to correct, if the problem concerns one. */
export type Problem = { text: string; field?: string | undefined };

const FieldToCorrect = createContext<Problem | null>(null);

/** Names and values of hidden fields. */
type Fields = Readonly<Record<string, string>>;

type FormProps = {
  to: string;
  /** Label of its button. */
  submit: string;
  sends?: Fields;
  problem?: Problem | null;
  hasFiles?: boolean;
  autocomplete?: 'off';
  children: Child;
};

/** The one form of the console: fields, problems and a button. */
export function Form({ to, submit, sends = {}, problem = null, hasFiles = false, autocomplete, children }: FormProps) {
  return (
    <FieldToCorrect.Provider value={problem}>
      <FormProblem text={problem === null || problem.field !== undefined ? null : problem.text} />
      <form
        method="post"
        action={to}
        enctype={hasFiles ? 'multipart/form-data' : undefined}
        autocomplete={autocomplete}
      >
        <HiddenFields fields={sends} />
        {children}
        <div class="actions">
          <button type="submit" class="primary">
            {submit}
          </button>
        </div>
      </form>
    </FieldToCorrect.Provider>
  );
}

function HiddenFields({ fields }: { fields: Fields }) {
  return (
    <>
      <input type="hidden" name="form" value={useContext(FormToken)} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** A problem of a form as a whole. */
export function FormProblem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p class="problem" role="alert" {...FOCUS_ON_LOAD}>
      {text}
    </p>
  );
}

type FieldProps = {
  name: string;
  label: Child;
  /** Ids of elements that describe it. */
  described?: string;
};

/** A field of one line. */
export function FormField({ name, label, described, ...input }: FieldProps & JSX.IntrinsicElements['input']) {
  return (
    <Labelled name={name} label={label}>
      <input id={name} name={name} type="text" {...input} {...useStateOf(name, described)} />
    </Labelled>
  );
}

/** A field of several lines. */
export function TextArea({
  name,
  label,
  described,
  text,
  ...area
}: FieldProps & { text: string } & JSX.IntrinsicElements['textarea']) {
  return (
    <Labelled name={name} label={label}>
      <textarea id={name} name={name} {...area} {...useStateOf(name, described)}>
        {text}
      </textarea>
    </Labelled>
  );
}

export type Option = { value: string; text: string };

type SelectProps = FieldProps & {
  chosen: string;
  /** By the label of their group; '' for none. */
  options: ReadonlyMap<string, readonly Option[]>;
};

export function Select({ name, label, described, chosen, options }: SelectProps) {
  const shown = (some: readonly Option[]) =>
    some.map(({ value, text }) => (
      <option value={value} selected={value === chosen}>
        {text}
      </option>
    ));
  return (
    <Labelled name={name} label={label}>
      <select id={name} name={name} {...useStateOf(name, described)}>
        {[...options].map(([group, some]) =>
          group === '' ? shown(some) : <optgroup label={group}>{shown(some)}</optgroup>,
        )}
      </select>
    </Labelled>
  );
}

/** Several fields with one label and one problem. */
export function FieldGroup({ name, label, children }: FieldProps & { children: Child }) {
  const isWrong = useContext(FieldToCorrect)?.field === name;
  return (
    <fieldset aria-describedby={isWrong ? `${name}-problem` : undefined}>
      <legend {...(isWrong ? FOCUS_ON_LOAD : {})}>{label}</legend>
      {children}
      <FieldProblem field={name} />
    </fieldset>
  );
}

function Labelled({ name, label, children }: FieldProps & { children: Child }) {
  return (
    <>
      <label for={name}>{label}</label>
      {children}
      <FieldProblem field={name} />
    </>
  );
}

/** Attributes of a field: one to correct has the focus and is described by its problem. */
function useStateOf(field: string, described: string | undefined) {
  if (useContext(FieldToCorrect)?.field !== field) return { 'aria-describedby': described };
  const ids = `${field}-problem${described === undefined ? '' : ` ${described}`}`;
  return { 'aria-invalid': 'true', 'aria-describedby': ids, autofocus: true } as const;
}

function FieldProblem({ field }: { field: string }) {
  const problem = useContext(FieldToCorrect);
  return problem?.field !== field ? null : (
    <p id={`${field}-problem`} class="problem" role="alert">
      {problem.text}
    </p>
  );
}

type FilterProps = {
  to: string;
  submit: string;
  role?: 'search';
  /** Its answer is more than what the address says. */
  isPost?: boolean;
  /** Each field in a `div`. */
  children: Child;
};

/** A form in one row: it chooses what the page shows. */
export function Filter({ to, submit, role, isPost = false, children }: FilterProps) {
  return (
    <form method={isPost ? 'post' : 'get'} action={to} class="filter" role={role}>
      {isPost ? <HiddenFields fields={{}} /> : null}
      {children}
      <button type="submit" class="primary">
        {submit}
      </button>
    </form>
  );
}

export type Action = {
  label: string;
  sends: Fields;
  /** Asked first, if it cannot be undone. */
  asks?: ConfirmQuestion | undefined;
};

/** A button with a form of its own. @param about tells buttons with one label apart, for screen readers */
export function ActionButton({ to, about, label, sends, asks }: Action & { to: string; about?: string | undefined }) {
  const question = asks === undefined ? {} : { confirm: asks, about: about ?? '' };
  return (
    <form method="post" action={to}>
      <HiddenFields fields={{ ...sends, ...question }} />
      <button type="submit" aria-label={about === undefined ? undefined : `${label} ${about}`}>
        {label}
      </button>
    </form>
  );
}

/** Buttons side by side. */
export function Actions({ to, actions }: { to: string; actions: readonly Action[] }) {
  return (
    <div class="actions">
      {actions.map((action) => (
        <ActionButton to={to} {...action} />
      ))}
    </div>
  );
}
