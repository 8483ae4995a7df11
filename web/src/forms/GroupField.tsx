import type { Drafts } from "./drafts.ts";
import { type FieldProps, useFormWorld } from "./form-world.ts";
import { isShown } from "./schema.ts";

/** An object's fields, those that mean something now. */
export function GroupField({ schema, path, textKey, draft, scopes, onChange }: FieldProps<Drafts>) {
  const { render } = useFormWorld();
  const inside = [draft, ...scopes];
  const shown = Object.entries(schema.properties ?? {}).filter(([, one]) => isShown(one, inside));
  if (shown.length === 0) return null;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {shown.map(([name, one]) => (
        <div key={name} className="min-w-0">
          {render({
            schema: one,
            path: `${path}.${name}`,
            textKey: `${textKey}.${name}`,
            draft: draft[name] ?? "",
            scopes: inside,
            onChange: (next) => onChange({ ...draft, [name]: next }),
          })}
        </div>
      ))}
    </div>
  );
}
