import type { Drafts } from "./drafts.ts";
import { type FieldProps, useFormContext } from "./form-context.ts";
import { type FieldSchema, isShown, kindOf } from "./schema.ts";

/** An object's fields, those that mean something now. */
export function GroupField({ schema, draft, ...rest }: FieldProps<Drafts>) {
  return <InnerFields {...rest} entries={Object.entries(schema.properties ?? {})} drafts={draft} />;
}

interface InnerFieldsProps extends Pick<FieldProps<Drafts>, "path" | "textKey" | "scopes" | "onChange"> {
  entries: readonly (readonly [name: string, schema: FieldSchema])[];
  drafts: Drafts;
  className?: string;
}

/** Whether it needs a line of its own. */
function isWide(schema: FieldSchema): boolean {
  const kind = kindOf(schema);
  return kind === "record" || kind === "variants" || kind === "longText" || kind === "group";
}

/** The named fields of an object within another, side by side where there is room. */
export function InnerFields(props: InnerFieldsProps) {
  const { entries, path, textKey, drafts, scopes, onChange, className = "gap-4" } = props;
  const { render } = useFormContext();
  const inside = [drafts, ...scopes];
  const shown = entries.filter(([, one]) => isShown(one, inside));
  if (shown.length === 0) return null;
  return (
    <div className={`grid sm:grid-cols-2 ${className}`}>
      {shown.map(([name, one]) => (
        <div key={name} className={`min-w-0 ${isWide(one) ? "sm:col-span-2" : ""}`}>
          {render({
            schema: one,
            path: `${path}.${name}`,
            textKey: `${textKey}.${name}`,
            draft: drafts[name] ?? "",
            scopes: inside,
            onChange: (next) => onChange({ ...drafts, [name]: next }),
          })}
        </div>
      ))}
    </div>
  );
}
