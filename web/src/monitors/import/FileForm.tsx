import { Database, FileUp } from "lucide-react";
import { type DragEvent, type FormEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  DATABASE_START_BYTES,
  decodeFile,
  isDatabase,
  isDatabaseFile,
} from "../../../../server/src/monitors/schemas/import-client.ts";
import type { FormatName, ImportFile } from "../../api/imports.ts";
import { Button } from "../../components/Button.tsx";
import { Callout } from "../../components/Callout.tsx";
import { Select } from "../../forms/Select.tsx";
import { formatBytes } from "../../i18n/format-amounts.ts";

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

export function FileForm({ file, busy, locked, done, onChange, onSubmit }: FileFormProps) {
  const { t } = useTranslation("monitors/import");
  const id = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isTooLarge, setTooLarge] = useState(false);
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    const content = await contentOf(chosen);
    setTooLarge(content === null);
    if (content === null) return;
    const database = isDatabase(content) ? { name: chosen.name, bytes: chosen.size } : undefined;
    onChange({ content, variables: {}, database });
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
      {file.database ? (
        <DatabaseFile
          {...file.database}
          onRemove={locked ? undefined : () => onChange({ content: "", variables: {} })}
        />
      ) : (
        <>
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
            onChange={(event) => {
              setTooLarge(false);
              onChange({ ...file, content: event.target.value });
            }}
            className={`control h-auto resize-y py-2 font-mono text-sm leading-5 ${isOver ? "outline-2 outline-offset-2 outline-focus" : ""}`}
          />
        </>
      )}
      {isTooLarge && <Callout tone="error">{t("database.large")}</Callout>}
      <div className="flex flex-wrap items-center gap-3">
        <input
          ref={chooser}
          type="file"
          hidden
          accept=".txt,.csv,.tsv,.json,.yaml,.yml,.db,.sqlite,.sqlite3,text/*,application/json,application/yaml,application/vnd.sqlite3"
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

/** A database that was chosen: there is no text of it to show. */
function DatabaseFile({
  name,
  bytes,
  onRemove,
}: {
  name: string;
  bytes: number;
  onRemove?: (() => void) | undefined;
}) {
  const { t, i18n } = useTranslation("monitors/import");
  return (
    <div className="flex min-h-24 items-center gap-3 rounded-md border border-line px-3 py-2 text-sm">
      <Database aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 wrap-anywhere">
        {t("database.chosen", { name, size: formatBytes(bytes, i18n.language) })}
      </span>
      <Button variant="quiet" disabled={!onRemove} onClick={onRemove} className="ml-auto">
        {t("database.remove")}
      </Button>
    </div>
  );
}

/** What the API takes of a database at most, packed and as base64. */
const mostCharacters = 7 * 1024 * 1024;

/** A file as the API takes it: its text, or a database packed, as base64. Null: it is too large even so. */
async function contentOf(file: File): Promise<string | null> {
  const start = new Uint8Array(await file.slice(0, DATABASE_START_BYTES).arrayBuffer());
  if (!isDatabaseFile(start)) return decodeFile(new Uint8Array(await file.arrayBuffer()));
  const packed = await new Response(file.stream().pipeThrough(new CompressionStream("gzip"))).blob();
  if ((packed.size * 4) / 3 > mostCharacters) return null;
  const address = await dataAddressOf(packed);
  return address.slice(address.indexOf(",") + 1);
}

/** `data:…;base64,…` */
function dataAddressOf(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(reader.result as string));
  reader.addEventListener("error", () => reject(reader.error ?? new Error("The file cannot be read.")));
  reader.readAsDataURL(blob);
  return promise;
}
