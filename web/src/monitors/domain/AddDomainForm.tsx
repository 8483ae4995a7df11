import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import {
  type ClipboardEvent,
  type FormEvent,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import type { Domain } from "../../api/monitor-list.ts";
import { useAddMonitor } from "../../api/monitors.ts";
import { findWatched } from "../../api/watched.ts";
import { Button } from "../../components/Button.tsx";
import { FieldNote } from "../../components/Field.tsx";
import { isFocusTaken } from "../../components/focus.ts";
import { i18n } from "../../i18n/i18n.ts";
import { monitorKinds } from "../../kinds.ts";
import { showToast } from "../../toasts.ts";

const kind = monitorKinds.domain;

/** Adds an address, unless it is watched already: then it answers the domain that does. */
function useAddNew() {
  const { mutateAsync: add } = useAddMonitor(kind);
  return useMutation({
    mutationFn: async (url: string): Promise<{ watched: Domain | null }> => {
      const watched = await findWatched(url);
      if (watched) return { watched };
      const { data } = await add({ url });
      const { id, name } = data;
      showToast("success", i18n.t("monitors/domain:add.done", { name }), { monitor: { kind, id } });
      return { watched: null };
    },
  });
}

/**
 * Enter adds an address; several that are pasted, one a line, are imported. `autoFocus` unless the reader is
 * elsewhere.
 */
export function AddDomainForm({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation(["monitors/domain", "monitors"]);
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState("");
  const navigate = useNavigate();
  const add = useAddNew();
  useLayoutEffect(() => {
    if (autoFocus && !isFocusTaken()) box.current?.focus();
  }, [autoFocus]);
  const focusBox = useCallback(() => box.current?.focus(), []);
  const errors = add.error ? sentencesOf(add.error) : undefined;
  const watched = add.data?.watched;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.isPending) return;
    add.mutate(url.trim(), {
      onSuccess: ({ watched }) => watched === null && setUrl(""),
      onSettled: focusBox,
    });
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text");
    if (addressesIn(text).length < 2) return;
    event.preventDefault();
    void navigate({ to: "/import", state: { content: text } });
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
            if (add.isError || watched) add.reset();
          }}
          onPaste={paste}
          aria-invalid={errors ? true : undefined}
          aria-describedby={errors || watched ? `${id}-note` : undefined}
          className="control flex-1"
        />
        <Button type="submit" busy={add.isPending}>
          <Plus aria-hidden className="-ml-0.5 size-4" />
          {t("monitors:add.submit")}
        </Button>
      </div>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          {errors && <FieldNote id={`${id}-note`} errors={errors} />}
          {watched && <WatchedAlready id={`${id}-note`} domain={watched} />}
        </div>
        <div className="flex shrink-0 gap-4 text-sm text-ink-muted">
          <Link to="/import" state={{ content: url }} className={quiet}>
            {t("add.several")}
          </Link>
          <Link to={kind.pages.add} search={{ url: url.trim() || undefined }} className={quiet}>
            {t("monitors:add.all")}
          </Link>
        </div>
      </div>
    </form>
  );
}

const quiet = "rounded-sm underline-offset-4 hover:text-ink hover:underline";

/** Says so, with the way there. */
function WatchedAlready({ id, domain }: { id: string; domain: Domain }) {
  const { t } = useTranslation("monitors/domain");
  return (
    <p id={id} role="alert" className="text-sm wrap-anywhere text-ink-muted">
      {t("add.watched")}{" "}
      <Link
        to={kind.pages.one}
        params={{ id: String(domain.id) }}
        className="rounded-sm font-medium text-ink underline underline-offset-4"
      >
        {domain.name}
      </Link>
    </p>
  );
}

/** One a line, each once, without the space around it. */
const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];
