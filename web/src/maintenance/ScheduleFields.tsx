import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Occurrence, previewQuery } from "../api/maintenance.ts";
import { Field } from "../components/Field.tsx";
import { useDebounced } from "../components/use-now.ts";
import { LabelledSelect } from "../forms/LabelledSelect.tsx";
import { Tick } from "../forms/Tick.tsx";
import {
  type DurationUnit,
  durationUnits,
  placeInMonth,
  type Repeat,
  repeats,
  scheduleOf,
  type WindowFieldsProps,
  weekdays,
} from "./window-draft.ts";
import { useWindowWords, weekdayName } from "./window-words.ts";

const zonesWith = (chosen: string): string[] => {
  const known = Intl.supportedValuesOf("timeZone");
  // Names change with the years, and a browser may know one by another.
  return known.includes(chosen) ? known : [chosen, ...known];
};

interface ScheduleFieldsProps extends WindowFieldsProps {
  /** When it is open next, what is skipped left out; null: it is not planned like this. */
  planned: readonly Occurrence[] | null;
}

/** When a window is open: its start and length, its zone, and how it repeats. */
export function ScheduleFields({ draft, errors, onChange, planned }: ScheduleFieldsProps) {
  const { t } = useTranslation("maintenance");
  return (
    <div className="grid gap-5 px-4 pb-4">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          type="datetime-local"
          label={t("form.start")}
          value={draft.start}
          errors={errors.startsAt}
          onChange={({ target }) => onChange({ start: target.value })}
        />
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-2">
          <Field
            label={t("form.duration")}
            inputMode="decimal"
            value={draft.amount}
            errors={errors.duration}
            onChange={({ target }) => onChange({ amount: target.value })}
          />
          <LabelledSelect
            label={t("form.unit")}
            value={draft.unit}
            options={Object.keys(durationUnits).map((unit) => [unit, t(`unit.${unit as DurationUnit}`)])}
            onChange={(unit) => onChange({ unit: unit as DurationUnit })}
          />
        </div>
        <LabelledSelect
          label={t("form.timeZone")}
          value={draft.timeZone}
          errors={errors.timeZone}
          options={zonesWith(draft.timeZone).map((zone) => [zone, zone.replaceAll("_", " ")])}
          onChange={(timeZone) => onChange({ timeZone })}
        />
        <RepeatChoice draft={draft} onChange={onChange} />
      </div>
      <RepeatFields draft={draft} errors={errors} onChange={onChange} />
      <Preview draft={draft} planned={planned} />
    </div>
  );
}

function RepeatChoice({ draft, onChange }: Pick<WindowFieldsProps, "draft" | "onChange">) {
  const { t } = useTranslation("maintenance");
  const { repeatWords } = useWindowWords();
  const wordsOf = (repeat: Repeat) => {
    if (repeat === "custom" || repeat === "weekly") return t(`repeat.${repeat}`);
    return repeatWords({ ...draft, repeat });
  };
  return (
    <LabelledSelect
      label={t("form.repeat")}
      value={draft.repeat}
      options={repeats.map((repeat) => [repeat, wordsOf(repeat)])}
      onChange={(repeat) => onChange({ repeat: repeat as Repeat })}
    />
  );
}

/** What there is to say of how it repeats. */
function RepeatFields({ draft, errors, onChange }: WindowFieldsProps) {
  const { t, i18n } = useTranslation("maintenance");
  const { repeat, days, start } = draft;
  if (repeat === "never") return null;
  const chosen = days.length > 0 ? days : [placeInMonth(start).weekday];
  return (
    <>
      {repeat === "weekly" && (
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">{t("form.days")}</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-2">
            {weekdays.map((day) => (
              <Tick
                key={day}
                type="checkbox"
                checked={chosen.includes(day)}
                onChange={(on) =>
                  onChange({ days: weekdays.filter((one) => (one === day ? on : chosen.includes(one))) })
                }
              >
                {weekdayName(day, i18n.language)}
              </Tick>
            ))}
          </div>
        </fieldset>
      )}
      {repeat === "custom" && (
        <Field
          label={t("form.rule")}
          hint={t("form.ruleHint")}
          placeholder={t("form.ruleExample")}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          value={draft.rule}
          errors={errors.recurrence}
          onChange={({ target }) => onChange({ rule: target.value })}
        />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          type="date"
          label={t("form.lastDay")}
          optional
          value={draft.lastDay}
          errors={errors.until}
          onChange={({ target }) => onChange({ lastDay: target.value })}
        />
      </div>
    </>
  );
}

const typingMs = 300;

/** In words and as the next five times, so that the schedule holds no surprise. */
function Preview({ draft, planned }: Pick<ScheduleFieldsProps, "draft" | "planned">) {
  const { t } = useTranslation("maintenance");
  const { repeatWords } = useWindowWords();
  const debounced = useDebounced(draft, typingMs);
  const schedule = scheduleOf(debounced);
  const isWhole = schedule !== null && schedule.recurrence !== "";
  const { data, error } = useQuery({ ...previewQuery(schedule ?? {}), enabled: isWhole && planned === null });
  return (
    <div role="status" className="grid gap-1.5 rounded-md bg-hover px-3 py-2.5">
      <p className="text-sm font-medium">
        {repeatWords(draft)} · {draft.timeZone.replaceAll("_", " ")}
      </p>
      {planned ? (
        <NextTimes occurrences={planned} timeZone={draft.timeZone} />
      ) : error || !isWhole ? (
        <p className="text-sm text-ink-faint">{error?.message ?? t("form.incomplete")}</p>
      ) : (
        <NextTimes occurrences={data ?? []} timeZone={draft.timeZone} />
      )}
    </div>
  );
}

/** When a window is open next, on the clock of its zone. */
export function NextTimes({
  occurrences,
  timeZone,
}: {
  occurrences: readonly Occurrence[];
  timeZone: string;
}) {
  const { t, i18n } = useTranslation("maintenance");
  if (occurrences.length === 0) return <p className="text-sm text-ink-faint">{t("next.none")}</p>;
  const format = new Intl.DateTimeFormat(i18n.language, {
    timeZone,
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit" },
  });
  return (
    <ul aria-label={t("next.title")} className="grid gap-1 text-sm text-ink-muted tabular-nums">
      {occurrences.map(({ startsAt, endsAt }) => (
        <li key={startsAt}>{format.formatRange(new Date(startsAt), new Date(endsAt))}</li>
      ))}
    </ul>
  );
}
