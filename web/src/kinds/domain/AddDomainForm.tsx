import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../api/client.ts";
import { useAddMonitor } from "../../api/monitors.ts";
import { Button } from "../../components/Button.tsx";
import { FieldNote } from "../../components/Field.tsx";
import { isFocusTaken } from "../../components/focus-page.ts";
import { monitorKinds } from "../kinds.ts";

/** One box: type an address, press Enter, type the next. `autoFocus` at once, unless the reader is elsewhere already. */
export function AddDomainForm({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation(["kinds/domain", "monitor"]);
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState("");
  const add = useAddMonitor(monitorKinds.domain);
  useLayoutEffect(() => {
    if (autoFocus && !isFocusTaken()) box.current?.focus();
  }, [autoFocus]);
  const errors = add.error ? sentencesOf(add.error) : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.isPending) return;
    add.mutate({ url: url.trim() }, { onSuccess: () => setUrl(""), onSettled: () => box.current?.focus() });
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-1.5 text-left">
      <div className="flex gap-2">
        <label htmlFor={id} className="sr-only">
          {t("add.label")}
        </label>
        <input
          ref={box}
          id={id}
          type="text"
          inputMode="url"
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          spellCheck={false}
          placeholder={t("add.placeholder")}
          value={url}
          onChange={(event) => {
            setUrl(event.target.value);
            if (add.isError) add.reset();
          }}
          aria-invalid={errors ? true : undefined}
          aria-describedby={errors ? `${id}-note` : undefined}
          className="control flex-1"
        />
        <Button type="submit" busy={add.isPending}>
          <Plus aria-hidden className="-ml-0.5 size-4" />
          {t("monitor:add.submit")}
        </Button>
      </div>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">{errors && <FieldNote id={`${id}-note`} errors={errors} />}</div>
        <Link
          to={monitorKinds.domain.pages.add}
          search={{ url: url.trim() || undefined }}
          className="shrink-0 rounded-sm text-sm text-ink-muted underline-offset-4 hover:text-ink hover:underline"
        >
          {t("monitor:add.all")}
        </Link>
      </div>
    </form>
  );
}

/** What to say under the one box: the sentences of every field, or the error's own. */
function sentencesOf(error: Error): string[] {
  const fields = error instanceof ApiError ? Object.values(error.fields).flat() : [];
  return fields.length > 0 ? fields : [error.message];
}
