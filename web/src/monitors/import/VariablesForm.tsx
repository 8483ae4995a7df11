import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";

interface VariablesFormProps {
  names: readonly string[];
  onSubmit: (values: Record<string, string>) => void;
}

/** Asks for the values that a file leaves to be filled in: passwords for the most part. */
export function VariablesForm({ names, onSubmit }: VariablesFormProps) {
  const { t } = useTranslation("monitors/import");
  const id = useId();
  const [values, setValues] = useState<Record<string, string>>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(values);
  };
  return (
    <Card className="p-4">
      <form onSubmit={submit} className="grid gap-3">
        <h2 className="font-semibold">{t("variables.title")}</h2>
        <p className="text-sm text-ink-muted">{t("variables.text")}</p>
        {names.map((name) => (
          <div
            key={name}
            className="grid items-center gap-1.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] sm:gap-3"
          >
            <label htmlFor={`${id}-${name}`} className="font-mono text-sm wrap-anywhere">
              {name}
            </label>
            <input
              id={`${id}-${name}`}
              type="password"
              autoComplete="off"
              value={values[name] ?? ""}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              className="control"
            />
          </div>
        ))}
        <Button
          type="submit"
          variant="quiet"
          className="justify-self-end"
          disabled={Object.values(values).join("") === ""}
        >
          {t("variables.submit")}
        </Button>
      </form>
    </Card>
  );
}
