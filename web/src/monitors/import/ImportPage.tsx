import { useMutation } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import { type ImportFile, type ImportResult, previewImport, useRunImport } from "../../api/imports.ts";
import { useMayWrite, useRole } from "../../api/roles.ts";
import { Button } from "../../components/Button.tsx";
import { Callout } from "../../components/Callout.tsx";
import { Card } from "../../components/Card.tsx";
import { Refused } from "../../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../../components/PageBar.tsx";
import type english from "./en.json";
import { FileForm } from "./FileForm.tsx";
import { Preview } from "./Preview.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitors/import": typeof english;
  }
}

export function ImportPage() {
  const { t } = useTranslation("monitors/import");
  usePageTitle(t("title"));
  const mayWrite = useMayWrite();
  const role = useRole();
  return (
    <>
      <PageBar heading title={t("title")} crumbs={[{ label: t("domains"), to: "/domains" }]} />
      {mayWrite ? <Import /> : <Refused role={role} />}
    </>
  );
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** With which the import begins: what was pasted elsewhere. */
    content?: string;
  }
}

function Import() {
  const { t } = useTranslation("monitors/import");
  const begun = useRouterState({ select: ({ location }) => location.state.content ?? "" });
  const [file, setFile] = useState<ImportFile>({ content: begun, variables: {} });
  const [result, setResult] = useState<ImportResult | null>(null);
  const preview = useMutation({ mutationFn: previewImport, onSuccess: setResult });
  const { run, stop, running, failure } = useRunImport(setResult);
  const change = (changed: ImportFile) => {
    setFile(changed);
    setResult(null);
    preview.reset();
  };
  const error = preview.error ?? failure;
  return (
    <div className="grid max-w-4xl gap-5">
      <p className="text-pretty text-ink-muted">{t("text")}</p>
      <FileForm
        file={file}
        busy={preview.isPending}
        locked={running}
        done={result !== null}
        onChange={change}
        onSubmit={() => preview.mutate(file)}
      />
      {error && <Callout tone="error">{sentencesOf(error).join(" ")}</Callout>}
      {result && result.missing.length > 0 && (
        <VariablesForm
          key={result.missing.join(" ")}
          names={result.missing}
          onSubmit={(values) => {
            const filled = { ...file, variables: { ...file.variables, ...values } };
            setFile(filled);
            preview.mutate(filled);
          }}
        />
      )}
      {result && (
        <Preview result={result} running={running} onRun={() => void run(file, result)} onStop={stop} />
      )}
    </div>
  );
}

interface VariablesFormProps {
  names: readonly string[];
  onSubmit: (values: Record<string, string>) => void;
}

/** A form for the values that a file leaves to be filled in: passwords for the most part. */
function VariablesForm({ names, onSubmit }: VariablesFormProps) {
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
