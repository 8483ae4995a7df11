import { useMutation } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type CheckTest, testSettings } from "../../api/check-test.ts";
import { ApiError } from "../../api/client.ts";
import type { Phase } from "../../api/monitor.ts";
import { Button } from "../../components/Button.tsx";
import { StatusDot, statusInk } from "../../components/StatusDot.tsx";
import type { FormAssist } from "../../forms/SchemaForm.tsx";
import { formatResponseTime } from "../../i18n/format.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { useKind } from "../use-kind.ts";

interface TrySettingsProps {
  form: FormAssist;
  /** Of the monitor that is changed; null for a new one. */
  id: number | null;
  /** What is sent beside what stands in the form. */
  made: Readonly<Record<string, unknown>>;
  /** What its check measures. */
  phases: readonly Phase[];
}

/** A check of what stands in the form, before it is saved. */
export function TrySettings({ form, id, made, phases }: TrySettingsProps) {
  const { t } = useTranslation("monitors/form");
  const kind = useKind();
  const test = useMutation({
    mutationFn: (body: object) => testSettings(kind, id, body),
    onError: (error) => {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) form.mark(error.fields);
    },
  });
  const outcome = useRef<HTMLDivElement>(null);
  // A phone's bar may be above it.
  useEffect(() => {
    if (test.data) outcome.current?.scrollIntoView({ block: "nearest" });
  }, [test.data]);
  const body = { ...form.body(), ...made };
  // What was found of other settings says nothing of these.
  const isOfThis = JSON.stringify(test.variables) === JSON.stringify(named(body));
  const run = () => {
    const { name: _, ...problems } = form.problems();
    if (Object.keys(problems).length > 0) form.mark(problems);
    else test.mutate(named(body));
  };
  const isElsewhere = test.error instanceof ApiError && Object.keys(test.error.fields).length > 0;
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <Button variant="quiet" busy={test.isPending} onClick={run}>
        <Play aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
        {t("try.action")}
      </Button>
      <div ref={outcome} role="status" className="scroll-mb-40 min-w-0 flex-1 basis-56 self-center text-sm">
        {isOfThis && test.data && <Found result={test.data} phases={phases} />}
        {isOfThis && test.error && !isElsewhere && <p className="text-down-ink">{test.error.message}</p>}
      </div>
    </div>
  );
}

/** Nobody needs to think of a name to try something. */
const named = <Body extends Record<string, unknown>>(body: Body) =>
  body["name"] === "" ? { ...body, name: "-" } : body;

/** "Passed · 200 · 123 ms" and what it took, or why not. */
function Found({ result, phases }: { result: CheckTest; phases: readonly Phase[] }) {
  const { t, i18n } = useTranslation(["monitors/form", "monitors"]);
  const { state, statusCode, responseTime, reason, message, messageFact } = result;
  const time = (milliseconds: number) => formatResponseTime(milliseconds, i18n.language);
  const isAnswer = state !== "down" || statusCode !== null;
  const facts = [
    t(`try.state.${state}`),
    statusCode,
    isAnswer && responseTime !== null ? time(responseTime) : null,
  ].filter((fact) => fact !== null);
  const parts = phases.flatMap((phase) => {
    const took = result.phases[phase];
    return took === null ? [] : `${t(`monitors:response.kinds.${phase}`)} ${time(took)}`;
  });
  const isTold = reason !== null || messageFact?.code !== "check.passed";
  return (
    <div className="grid min-w-0 gap-0.5">
      <p className={`flex items-center gap-2 font-medium tabular-nums ${statusInk[state]}`}>
        <StatusDot status={state} plain />
        {facts.join(" · ")}
      </p>
      {isTold && (
        <p className="text-pretty break-words text-ink-muted">
          {factInReadersLanguage(message, messageFact)}
        </p>
      )}
      {parts.length > 0 && <p className="text-xs text-ink-faint tabular-nums">{parts.join(" · ")}</p>}
    </div>
  );
}
