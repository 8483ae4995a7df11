import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, type FormEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  chosenPages,
  incidentPagesQuery,
  type PageChoice,
  pagesTelling,
  unchangedOn,
} from "../api/incident-pages.ts";
import {
  type Incident,
  type IncidentStatus,
  incidentUpdatesQuery,
  stillDown,
  useIncidentAct,
} from "../api/incidents.ts";
import { Button } from "../components/Button.tsx";
import { FailureCallout } from "../components/Callout.tsx";
import { Card } from "../components/Card.tsx";
import { TextArea } from "../components/Field.tsx";
import { useFormErrors } from "../components/use-form-errors.ts";
import { LeaveGuard } from "../forms/LeaveGuard.tsx";
import { Select } from "../forms/Select.tsx";
import { Tick } from "../forms/Tick.tsx";
import { DraftTools } from "./DraftTools.tsx";
import { Reach } from "./IncidentStatusText.tsx";
import { PagesField } from "./PagesField.tsx";
import { ResolveDialog } from "./ResolveDialog.tsx";
import { useDraft } from "./use-draft.ts";

const kinds = ["update", "comment"] as const;

/** Says something: to visitors of status pages, or to colleagues. */
export function Composer({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const [kind, setKind] = useState<(typeof kinds)[number]>("update");
  const [text, setText] = useState("");
  const compose = { incident, text, onText: setText };
  const updating = useUpdate(compose);
  // Whatever is posted leaves the form empty.
  const saved = useRef(false);
  const onCommented = () => {
    setText("");
    updating.drafting.forget();
  };
  return (
    <Card className="grid gap-3 p-4">
      <LeaveGuard changed={text.trim() !== ""} saved={saved} isOnePage />
      <div role="group" aria-label={t("compose.label")} className="-mx-1 -mt-1 flex gap-0.5">
        {kinds.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === kind}
            disabled={updating.isSending || updating.drafting.isWriting}
            onClick={() => setKind(one)}
            className="h-8 rounded-md px-2.5 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
          >
            {t(`compose.${one}`)}
          </button>
        ))}
      </div>
      {kind === "update" ? (
        <UpdateForm {...compose} updating={updating} />
      ) : (
        <CommentForm {...compose} onPosted={onCommented} />
      )}
    </Card>
  );
}

interface CommentFormProps extends ComposeProps {
  onPosted: () => void;
}

function CommentForm({ incident, text, onText, onPosted }: CommentFormProps) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const [isInternal, setInternal] = useState(true);
  const { form, fields, failure } = useFormErrors(act.error, ["content"]);
  const submit = () =>
    act.mutate({ act: "comment", id: incident.id, content: text, isInternal }, { onSuccess: onPosted });
  return (
    <ComposeForm
      {...{ form, failure, text, onText }}
      box={{
        name: "content",
        label: t("compose.comment"),
        hint: t("compose.commentText"),
        errors: fields["content"],
        placeholder: t("compose.commentPlaceholder"),
      }}
      submitLabel={t("compose.add")}
      busy={act.isPending}
      onSubmit={submit}
      beside={
        <div className="text-sm">
          <Tick type="checkbox" checked={isInternal} onChange={setInternal}>
            {t("compose.internal")}
          </Tick>
        </div>
      }
    />
  );
}

interface UpdateFormProps extends ComposeProps {
  updating: Updating;
}

/** Publishes an update on the chosen status pages, with a new state where there is one. */
function UpdateForm({ incident, text, onText, updating }: UpdateFormProps) {
  const { t } = useTranslation("incidents");
  const { choices, moved, usual, choice, drafting } = updating;
  const [isConfirming, setConfirming] = useState(false);
  const { data: pages } = useQuery(incidentPagesQuery(incident.id));
  const chosen = pages && chosenPages(pages, choice);
  const unchanged = chosen ? unchangedOn(chosen) : null;
  const { form, fields, failure } = useFormErrors(updating.error, ["message", "status"]);
  const send = () => {
    setConfirming(false);
    updating.send();
  };
  const submit = () => {
    if (moved === "resolved" && stillDown(incident).length > 0) setConfirming(true);
    else send();
  };
  return (
    <>
      <ComposeForm
        {...{ form, failure, text, onText }}
        box={{
          name: "message",
          label: t("compose.update"),
          hint: t("compose.updateText"),
          errors: [...(fields["message"] ?? []), ...(fields["status"] ?? [])],
          placeholder: t("compose.updatePlaceholder"),
          className: "field-sizing-content max-h-96 min-h-22",
          readOnly: drafting.isWriting,
        }}
        submitLabel={t("compose.post")}
        busy={updating.isSending}
        onSubmit={submit}
        beside={choices.length > 0 && <StatusChoice updating={updating} />}
        before={chosen && chosen.length > 0 && <Reach pages={chosen} />}
      >
        {pages && pages.length > 0 && (
          <DraftTools drafting={drafting} unchangedSince={moved ? null : unchanged} />
        )}
        {pages ? (
          <PagesField pages={pages} choice={choice} before={usual} onChange={updating.setChoice} />
        ) : (
          <p className="text-sm text-ink-muted">{t(unseen(choice))}</p>
        )}
      </ComposeForm>
      {isConfirming && (
        <ResolveDialog incident={incident} onConfirm={send} onClose={() => setConfirming(false)} />
      )}
    </>
  );
}

/** The default of an update until the names of the pages are loaded. */
function unseen(choice: PageChoice) {
  if (choice === null) return "publish.unknown";
  return choice.length === 0 ? "publish.none" : "publish.asBefore";
}

/** Where the update moves the incident on to. */
function StatusChoice({ updating: { status, choices, setStatus } }: Pick<UpdateFormProps, "updating">) {
  const { t } = useTranslation("incidents");
  return (
    <Select
      aria-label={t("compose.status")}
      className="sm:max-w-60"
      value={status}
      options={[["", t("compose.keep")], ...choices.map((to) => [to, t(`status.${to}`)] as const)]}
      onChange={(to) => setStatus(to as IncidentStatus | "")}
    />
  );
}

interface ComposeFormProps {
  form: RefObject<HTMLFormElement | null>;
  failure: ComponentProps<typeof FailureCallout>["of"];
  /** The box for what is said. */
  box: Pick<
    ComponentProps<typeof TextArea>,
    "name" | "label" | "hint" | "errors" | "placeholder" | "readOnly" | "className"
  >;
  text: string;
  onText: (text: string) => void;
  submitLabel: string;
  busy: boolean;
  onSubmit: () => void;
  children?: ReactNode;
  /** Content in the button's line: first in it, and right before it. */
  beside?: ReactNode;
  before?: ReactNode;
}

function ComposeForm({ form, failure, box, text, onText, children, ...own }: ComposeFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    own.onSubmit();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3">
      <FailureCallout of={failure} />
      <TextArea
        {...box}
        hideLabel
        rows={3}
        maxLength={10_000}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      {children}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {own.beside}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
          {own.before}
          <Button type="submit" busy={own.busy} disabled={text.trim() === ""}>
            {own.submitLabel}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Where people may move it on to (server/src/incidents/update-incident.ts); what is resolved is reopened. */
const next: readonly IncidentStatus[] = ["investigating", "identified", "monitoring", "resolved"];

interface ComposeProps {
  incident: Incident;
  text: string;
  onText: (text: string) => void;
}

/** An update's draft. It belongs to the composer: the choices stay while the other form is shown. */
function useUpdate({ incident, text, onText }: ComposeProps) {
  const act = useIncidentAct();
  const [status, setStatus] = useState<IncidentStatus | "">("");
  const { data: log } = useQuery(incidentUpdatesQuery(incident.id));
  const usual = pagesTelling(incident, log ?? []);
  /** Undefined: not chosen yet. */
  const [chosen, setChoice] = useState<PageChoice | undefined>();
  const choice = chosen === undefined ? usual : chosen;
  const choices = incident.resolvedAt === null ? next.filter((one) => one !== incident.status) : [];
  const moved = choices.find((one) => one === status);
  // Without a public page, it is about what all pages show.
  const about = { status: moved ?? incident.status, ...(choice?.length && { pages: choice }) };
  const drafting = useDraft({ id: incident.id, about, text, onText });
  const onSuccess = () => {
    onText("");
    drafting.forget();
    setStatus("");
    setChoice(undefined);
  };
  return {
    ...{ status, setStatus, choices, moved, usual, choice, setChoice, drafting },
    error: act.error,
    isSending: act.isPending,
    send: () =>
      act.mutate(
        {
          ...{ act: "update", id: incident.id, message: text },
          ...(moved && { status: moved }),
          ...(choice !== null && { pages: choice }),
        },
        { onSuccess },
      ),
  };
}

type Updating = ReturnType<typeof useUpdate>;
