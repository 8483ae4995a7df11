import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { postmortemQuery, useIncidentAct } from "../api/incidents.ts";
import { Button } from "../components/Button.tsx";
import { DialogButtons } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { MarkdownText } from "../components/markdown/MarkdownText.tsx";
import { Section } from "../components/Section.tsx";
import { Skeleton } from "../components/Skeleton.tsx";
import { TextArea } from "../components/TextArea.tsx";
import { useFormErrors } from "../components/use-form-errors.ts";
import { LeaveGuard } from "../forms/LeaveGuard.tsx";

/** What was learnt from an incident. */
export function PostmortemCard({ id, canChange }: { id: number; canChange: boolean }) {
  const { t } = useTranslation("incidents");
  const query = useQuery(postmortemQuery(id));
  const [isWriting, setWriting] = useState(false);
  const write = canChange && !isWriting && query.data !== undefined && (
    <Button variant="quiet" onClick={() => setWriting(true)}>
      {t(query.data === null ? "postmortem.write" : "postmortem.edit")}
    </Button>
  );
  return (
    <Section title={t("postmortem.title")} aside={write}>
      <div className="px-4 pb-4">
        <Loaded of={query} failed={t("postmortem.failed")} loading={<Skeleton className="h-3 w-60" />}>
          {(content: string | null) =>
            isWriting ? (
              <PostmortemForm id={id} content={content ?? ""} onDone={() => setWriting(false)} />
            ) : (
              <Postmortem content={content} />
            )
          }
        </Loaded>
      </div>
    </Section>
  );
}

function Postmortem({ content }: { content: string | null }) {
  const { t } = useTranslation("incidents");
  if (content === null) return <p className="text-sm text-ink-faint">{t("postmortem.none")}</p>;
  return <MarkdownText text={content} />;
}

interface PostmortemFormProps {
  id: number;
  content: string;
  onDone: () => void;
}

function PostmortemForm({ id, content, onDone }: PostmortemFormProps) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const [start] = useState(content || `${t("postmortem.template")}\n`);
  const [text, setText] = useState(start);
  const saved = useRef(false);
  const [isPreview, setPreview] = useState(false);
  const { form, fields, failure } = useFormErrors(act.error, ["content"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      saved.current = true;
      onDone();
    };
    act.mutate({ act: "postmortem", id, content: text.trim() || null }, { onSuccess });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3">
      <LeaveGuard changed={text !== start} saved={saved} />
      <FailureNotice of={failure} />
      {isPreview ? (
        <MarkdownText text={text} />
      ) : (
        <TextArea
          label={t("postmortem.title")}
          hideLabel
          rows={14}
          value={text}
          hint={t("postmortem.hint")}
          errors={fields["content"]}
          maxLength={60_000}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <DialogButtons onCancel={onDone}>
        <Button variant="quiet" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
          {t(isPreview ? "postmortem.write" : "postmortem.preview")}
        </Button>
        <Button type="submit" busy={act.isPending}>
          {t("edit.save")}
        </Button>
      </DialogButtons>
    </form>
  );
}
