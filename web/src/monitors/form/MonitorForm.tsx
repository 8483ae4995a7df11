import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { MonitorDetail } from "../../api/monitor.ts";
import { type MonitorLimits, useSaveMonitor } from "../../api/monitor-settings.ts";
import type { Drafts } from "../../forms/drafts.ts";
import { SchemaForm } from "../../forms/SchemaForm.tsx";
import type { FormSource } from "../../forms/use-schema-form.ts";
import { formatCount, formatInterval, formatShare } from "../../i18n/format.ts";
import type { FormOfKind } from "../descriptor.ts";
import { CancelLink } from "./CancelLink.tsx";
import type english from "./en.json";
import { TrySettings } from "./TrySettings.tsx";
import { withLimits } from "./with-limits.ts";

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

/** Every setting of a monitor. */
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
      settle={form.settle}
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
