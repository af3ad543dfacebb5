import { createContext, useContext } from 'hono/jsx';
import type { Child, JSX } from 'hono/jsx';
import { FOCUS_ON_LOAD } from '#web/layout.tsx';
import type { ConfirmQuestion } from './confirm.tsx';

/** CSRF token for the forms of a page, provided by the page's frame. */
export const FormToken = createContext('');

/** A problem with a form. `field`: the field to correct, if the problem concerns one. */
export type FormInputProblem = { text: string; field?: string | undefined };

const FieldToCorrect = createContext<FormInputProblem | null>(null);

type Fields = Readonly<Record<string, string>>;

type FormProps = {
  to: string;
  submit: string;
  sends?: Fields;
  problem?: FormInputProblem | null;
  hasFiles?: boolean;
  autocomplete?: 'off';
  children: Child;
};

export function Form({ to, submit, sends = {}, problem = null, hasFiles = false, autocomplete, children }: FormProps) {
  return (
    <FieldToCorrect.Provider value={problem}>
      <FormProblem text={problem === null || problem.field !== undefined ? null : problem.text} />
      <form
        method="post"
        action={to}
        class="panel"
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
  described?: string;
};

export function FormField({ name, label, described, ...input }: FieldProps & JSX.IntrinsicElements['input']) {
  return (
    <Labelled name={name} label={label}>
      <input id={name} name={name} type="text" {...input} {...useStateOf(name, described)} />
    </Labelled>
  );
}

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

export type SelectOption = { value: string; text: string };

type SelectProps = FieldProps & {
  chosen: string;
  options: ReadonlyMap<string, readonly SelectOption[]>;
};

export function Select({ name, label, described, chosen, options }: SelectProps) {
  const shown = (some: readonly SelectOption[]) =>
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

/** Attributes of a field. The field to correct gets the focus and refers to the text of the problem. */
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
  /** True to send the form by POST, because it makes a tool call, as on the page “Try it”. */
  isPost?: boolean;
  children: Child;
};

export function FilterForm({ to, submit, role, isPost = false, children }: FilterProps) {
  return (
    <form method={isPost ? 'post' : 'get'} action={to} class="filter" role={role}>
      {isPost ? <HiddenFields fields={{}} /> : null}
      {children}
      <button type="submit">{submit}</button>
    </form>
  );
}

export type ItemAction = {
  label: string;
  sends: Fields;
  /** Question to confirm an action that cannot be undone. */
  asks?: ConfirmQuestion | undefined;
  isRare?: boolean;
};

/** A button in its own form. @param about the item, by which screen readers distinguish buttons with the same label */
export function ActionButton({
  to,
  about,
  label,
  sends,
  asks,
}: ItemAction & { to: string; about?: string | undefined }) {
  const question = asks === undefined ? {} : { confirm: asks, about: about ?? '' };
  return (
    <form method="post" action={to}>
      <HiddenFields fields={{ ...sends, ...question }} />
      <button
        type="submit"
        class={asks === undefined ? undefined : 'danger'}
        aria-label={about === undefined ? undefined : `${label} ${about}`}
      >
        {label}
      </button>
    </form>
  );
}

export function Actions({ to, actions }: { to: string; actions: readonly ItemAction[] }) {
  return (
    <div class="actions">
      {actions.map((action) => (
        <ActionButton to={to} {...action} />
      ))}
    </div>
  );
}
