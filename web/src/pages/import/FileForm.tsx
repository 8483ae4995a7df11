import { FileUp } from "lucide-react";
import { type DragEvent, type FormEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { decodeFile } from "../../../../server/src/wire/decode-file.ts";
import type { FormatName, ImportFile } from "../../api/imports.ts";
import { Button } from "../../components/Button.tsx";
import { Select } from "../../forms/Select.tsx";

interface FileFormProps {
  file: ImportFile;
  busy: boolean;
  locked: boolean;
  /** There is a preview of it: what comes next is elsewhere. */
  done: boolean;
  onChange: (file: ImportFile) => void;
  onSubmit: () => void;
}

/** Every format, in the order in which they are offered. */
const formats = Object.keys({
  urls: true,
  csv: true,
  kuma: true,
  gatus: true,
  vedette: true,
} satisfies Record<FormatName, true>) as FormatName[];

/** Takes a file: pasted, chosen, or dropped on the box. */
export function FileForm({ file, busy, locked, done, onChange, onSubmit }: FileFormProps) {
  const { t } = useTranslation("import");
  const id = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = async (chosen: File | undefined) => {
    if (chosen) onChange({ content: decodeFile(new Uint8Array(await chosen.arrayBuffer())), variables: {} });
  };
  const drop = (event: DragEvent) => {
    const [dropped] = event.dataTransfer.files;
    setOver(false);
    if (!dropped) return;
    event.preventDefault();
    void take(dropped);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && !locked && file.content.trim() !== "") onSubmit();
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <textarea
        aria-label={t("content")}
        rows={9}
        value={file.content}
        readOnly={locked}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder={t("placeholder")}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes("Files")) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        onChange={(event) => onChange({ ...file, content: event.target.value })}
        className={`control h-auto resize-y py-2 font-mono text-sm leading-5 ${isOver ? "outline-2 outline-offset-2 outline-focus" : ""}`}
      />
      <div className="flex flex-wrap items-center gap-3">
        <input
          ref={chooser}
          type="file"
          hidden
          accept=".txt,.csv,.tsv,.json,.yaml,.yml,text/*,application/json,application/yaml"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        <Button variant="quiet" disabled={locked} onClick={() => chooser.current?.click()}>
          <FileUp aria-hidden className="-ml-0.5 size-4" />
          {t("choose")}
        </Button>
        <label htmlFor={id} className="sr-only">
          {t("format.label")}
        </label>
        <Select
          id={id}
          value={file.format ?? ""}
          options={[["", t("format.any")], ...formats.map((name) => [name, t(`format.${name}`)] as const)]}
          disabled={locked}
          onChange={(format) =>
            onChange({ ...file, format: format === "" ? undefined : (format as FormatName) })
          }
        />
        <Button
          variant={done ? "quiet" : "primary"}
          type="submit"
          busy={busy}
          disabled={locked || file.content.trim() === ""}
          className="ml-auto"
        >
          {t("preview")}
        </Button>
      </div>
    </form>
  );
}
