import { useMutation } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type CheckTest, testSettings } from "../../api/check-now.ts";
import { ApiError } from "../../api/client.ts";
import type { MonitorDetail, Phase } from "../../api/monitor.ts";
import { type MonitorLimits, useSaveMonitor } from "../../api/monitor-settings.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { StatusDot, statusInk } from "../../components/StatusDot.tsx";
import type { Drafts } from "../../forms/drafts.ts";
import { type FormAssist, SchemaForm } from "../../forms/SchemaForm.tsx";
import type { FieldSchema } from "../../forms/schema.ts";
import type { FormSource } from "../../forms/use-schema-form.ts";
import { formatCount, formatInterval, formatResponseTime, formatShare } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { type FormOfKind, useKind } from "../descriptor.ts";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitors/form": typeof english;
  }
}

interface MonitorFormProps extends Pick<FormSource, "typed" | "onTyped"> {
  form: FormOfKind;
  /** Of the form's variants; "" where there are none. */
  variant: string;
  detail: MonitorDetail | null;
  /** What a new one begins with. */
  start?: Readonly<Record<string, unknown>>;
  limits: MonitorLimits;
  /** The first box takes the keyboard. */
  focusFirst: boolean;
  /** `saved`: as the API answered; null when there was nothing to save. */
  onDone: (saved: MonitorDetail | null) => void;
}

export function MonitorForm(props: MonitorFormProps) {
  const { form, variant, detail, start = {}, limits, focusFirst, onDone } = props;
  const { t } = useTranslation("monitors/form");
  const save = useSaveMonitor(form.kind, detail?.id ?? null);
  const schema = useMemo(() => {
    const ofKind = form.schema(detail ? "update" : "create", variant);
    return form.isUnlimited ? ofKind : withLimits(ofKind, limits);
  }, [form, variant, detail, limits]);
  const values = useMemo(
    () => (detail && form.valuesOf ? form.valuesOf(detail) : (detail ?? start)),
    [form, detail, start],
  );
  const layout = useMemo(() => form.layout(variant), [form, variant]);
  const text = useFormText(form, variant);
  const made = detail === null && form.variants ? { [form.variants.field]: variant } : {};
  const phases = form.phases(variant);
  const planNotes = usePlanNotes(limits);
  const presets = usePresets(limits, form.intervals?.(variant));
  const goals = useGoals();
  const dangerOf = (drafts: Drafts) => detail && form.danger(drafts, detail);
  const isStored = (path: string, drafts: Drafts) => detail !== null && form.isStored(path, drafts, detail);
  const remarks = (drafts: Drafts) => {
    const danger = dangerOf(drafts);
    const why = danger && text(danger.text);
    return {
      notes: form.isUnlimited ? {} : planNotes(drafts),
      warnings: why ? Object.fromEntries(danger.paths.map((path) => [path, why])) : {},
      presets: { checkInterval: presets, ...goals },
      placeholders: { name: detail === null ? form.usualName(drafts) : undefined },
      self: detail?.uuid,
    };
  };
  return (
    <SchemaForm
      schema={schema}
      values={values}
      typed={props.typed}
      onTyped={props.onTyped}
      keeps={(path, drafts) => isStored(path, drafts) && dangerOf(drafts) === null}
      stale={(path, drafts) => isStored(path, drafts) && dangerOf(drafts) !== null}
      adjustDrafts={form.adjustDrafts}
      alongside={form.alongside?.(detail) ?? {}}
      layout={layout}
      text={text}
      remarks={remarks}
      assist={(state) => (
        <>
          {detail === null && form.assist?.(state)}
          {phases.length > 0 && (
            <TrySettings form={state} id={detail?.id ?? null} made={made} phases={phases} />
          )}
        </>
      )}
      focusFirst={focusFirst}
      submitLabel={t(detail ? "save" : "create")}
      cancel={<CancelLink id={detail?.id ?? null} />}
      onSubmit={(body) => save.mutateAsync({ ...body, ...made })}
      onDone={onDone}
    />
  );
}

/** The texts about fields: the kind's own, else those of every monitor. */
export function useFormText(form: FormOfKind, variant: string): (key: string) => string | undefined {
  const { texts, formTexts } = form.kind;
  const { t, i18n } = useTranslation(["monitors/form", formTexts]);
  return useCallback(
    (key) => {
      const names = [formTexts, texts, "monitors/form"].map((place) => `${place}:${key}`);
      const first = form.textKeys?.(key, variant) ?? [];
      const name = [...first, ...names].find((one) => i18n.exists(one));
      return name && t(name as "monitors/form:field.tags.label");
    },
    [form, variant, texts, formTexts, t, i18n],
  );
}

const usualIntervals = [10, 30, 60, 300];

/** The intervals that people choose, as far as the plan allows them. */
function usePresets({ minCheckInterval }: MonitorLimits, intervals: readonly number[] = usualIntervals) {
  const { i18n } = useTranslation("monitors/form");
  return intervals
    .filter((seconds) => seconds >= minCheckInterval)
    .map((seconds) => ({ value: String(seconds), label: formatInterval(seconds, i18n.language) }));
}

const usualGoals = [99, 99.5, 99.9, 99.95, 99.99];
const usualGoalDays = [7, 30, 90];

/** The objectives that people choose, and of how many days. */
function useGoals() {
  const { t, i18n } = useTranslation("monitors/form");
  const share = (value: number) => ({ value: String(value), label: formatShare(value, i18n.language) });
  const days = (count: number) => ({ value: String(count), label: formatCount(count, i18n.language) });
  return {
    objective: [{ value: "0", label: t("remark.noObjective") }, ...usualGoals.map(share)],
    objectiveDays: usualGoalDays.map(days),
  };
}

/** What the plan allows, at the fields it limits, and what the typed values mean. */
function usePlanNotes({ plan, minCheckInterval, locationsPerMonitor: most }: MonitorLimits) {
  const { t, i18n } = useTranslation("monitors/form");
  const words = (seconds: number) => formatInterval(seconds, i18n.language);
  return (drafts: Drafts) => {
    const seconds = Number(drafts["checkInterval"]);
    const interval = Number.isInteger(seconds) && seconds > 60 ? words(seconds) : null;
    const smallest = t("remark.smallest", { interval: words(minCheckInterval), plan });
    return {
      checkInterval: interval ? `${t("remark.every", { interval })} ${smallest}` : smallest,
      locations: most === null ? undefined : t("remark.locations", { count: most, plan }),
    };
  };
}

/** Back to the monitor of that number, or to the list from a new one. */
function CancelLink({ id }: { id: number | null }) {
  const { t } = useTranslation();
  const { pages } = useKind();
  if (id === null) return <ButtonLink to={pages.list}>{t("action.cancel")}</ButtonLink>;
  return (
    <ButtonLink to={pages.one} params={{ id: String(id) }}>
      {t("action.cancel")}
    </ButtonLink>
  );
}

/** The schema with what this organization's plan and this installation allow. */
export function withLimits(schema: FieldSchema, limits: MonitorLimits): FieldSchema {
  const { checkInterval, locations, ...others } = schema.properties ?? {};
  const smallest = Math.max(checkInterval?.minimum ?? 0, limits.minCheckInterval);
  return {
    ...schema,
    properties: {
      ...others,
      checkInterval: {
        ...checkInterval,
        minimum: smallest,
        "x-usual": Math.max(Number(checkInterval?.["x-usual"]), smallest),
      },
      ...(locations && { locations: { ...locations, ...locationsOf(limits) } }),
    },
  };
}

/** "All of them, whatever is added later" is for plans that do not limit them. */
function locationsOf({ locations, locationsPerMonitor: most }: MonitorLimits): FieldSchema {
  const codes = locations.map(({ code }) => code);
  const names = Object.fromEntries(locations.map(({ code, name }) => [code, name]));
  const items = { type: "string", enum: codes };
  if (most === null) return { items, "x-names": names };
  return { items, "x-names": names, minItems: 1, maxItems: most, "x-usual": codes.slice(0, most) };
}

interface TrySettingsProps {
  form: FormAssist;
  /** Of the monitor that is changed; null for a new one. */
  id: number | null;
  /** What is sent beside the form's values. */
  made: Readonly<Record<string, unknown>>;
  /** What its check measures. */
  phases: readonly Phase[];
}

/** A check with the form's values, before they are saved. */
function TrySettings({ form, id, made, phases }: TrySettingsProps) {
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

/** Trying a check needs no name. */
const named = <Body extends Record<string, unknown>>(body: Body) =>
  body["name"] === "" ? { ...body, name: "-" } : body;

/** "Passed · 200 · 123 ms" and what it took, or why not. */
function Found({ result, phases }: { result: CheckTest; phases: readonly Phase[] }) {
  const { t, i18n } = useTranslation(["monitors/form", "monitors"]);
  const { state, statusCode, responseTime, reason, message, messageFact } = result;
  const time = (milliseconds: number) => formatResponseTime(milliseconds, i18n.language);
  const isAnswer = state !== "down" || statusCode !== null;
  const details = [
    t(`try.state.${state}`),
    statusCode,
    isAnswer && responseTime !== null ? time(responseTime) : null,
  ].filter((descriptor) => descriptor !== null);
  const parts = phases.flatMap((phase) => {
    const took = result.phases[phase];
    return took === null ? [] : `${t(`monitors:response.kinds.${phase}`)} ${time(took)}`;
  });
  const hasMessage = reason !== null || messageFact?.code !== "check.passed";
  return (
    <div className="grid min-w-0 gap-0.5">
      <p className={`flex items-center gap-2 font-medium tabular-nums ${statusInk[state]}`}>
        <StatusDot status={state} plain />
        {details.join(" · ")}
      </p>
      {hasMessage && (
        <p className="text-pretty break-words text-ink-muted">{translateMessage(message, messageFact)}</p>
      )}
      {parts.length > 0 && <p className="text-xs text-ink-faint tabular-nums">{parts.join(" · ")}</p>}
    </div>
  );
}
