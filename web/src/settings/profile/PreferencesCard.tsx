import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { useChangeTimeZone } from "../../api/profile.ts";
import type { Preferences } from "../../api/session.ts";
import { FieldNote } from "../../components/Field.tsx";
import { Section } from "../../components/Section.tsx";
import { useNow } from "../../components/use-now.ts";
import { Select } from "../../forms/Select.tsx";
import { browserTimeZone, formatDateTime } from "../../i18n/format.ts";
import { chooseLanguage } from "../../i18n/i18n.ts";
import { type Language, languageCodes, languages } from "../../i18n/languages.ts";
import { chooseTheme, themes } from "../../theme.ts";
import { showToast } from "../../toasts.ts";

/** Language, theme and time zone, which follow the reader to other browsers; each counts as soon as it is chosen. */
export function PreferencesCard({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation(["settings/profile", "shared"]);
  const { language, theme, timeZone } = preferences;
  const speak = (code: string) => {
    chooseLanguage(code === "" ? null : (code as Language)).catch(() =>
      showToast("error", t("shared:error.unreachable")),
    );
  };
  return (
    <Section title={t("preferences.title")}>
      <p className="px-4 text-sm text-pretty text-ink-muted">{t("preferences.text")}</p>
      <div className="grid gap-x-6 gap-y-5 px-4 pt-4 pb-5 sm:grid-cols-2">
        <Choice label={t("preferences.language")}>
          {(id) => (
            <Select
              id={id}
              className="max-w-none!"
              value={language ?? ""}
              options={[
                ["", t("preferences.browser")],
                ...languageCodes.map((code) => [code, languages[code]] as const),
              ]}
              onChange={speak}
            />
          )}
        </Choice>
        <Choice label={t("preferences.theme")}>
          {(id) => (
            <Select
              id={id}
              className="max-w-none!"
              value={theme ?? "system"}
              options={themes.map((one) => [one, t(`preferences.themes.${one}`)])}
              onChange={(chosen) => chooseTheme(themes.find((one) => one === chosen) ?? "system")}
            />
          )}
        </Choice>
        <TimeZoneChoice timeZone={timeZone} />
      </div>
    </Section>
  );
}

function TimeZoneChoice({ timeZone }: { timeZone: string | null }) {
  const { t, i18n } = useTranslation("settings/profile");
  const change = useChangeTimeZone();
  const now = useNow();
  const known = Intl.supportedValuesOf("timeZone");
  // Names change with the years, and a browser may know one by another.
  const zones = timeZone === null || known.includes(timeZone) ? known : [timeZone, ...known];
  const time = formatDateTime(new Date(now).toISOString(), i18n.language);
  return (
    <Choice label={t("preferences.timeZone")}>
      {(id) => (
        <>
          <Select
            id={id}
            className="max-w-none!"
            value={timeZone ?? ""}
            aria-busy={change.isPending || undefined}
            aria-describedby={`${id}-note`}
            aria-invalid={change.error !== null || undefined}
            options={[
              ["", t("preferences.browserZone", { zone: browserTimeZone() })],
              ...zones.map((zone) => [zone, zone.replaceAll("_", " ")] as const),
            ]}
            onChange={(zone) => change.mutate(zone === "" ? null : zone)}
          />
          <FieldNote
            id={`${id}-note`}
            hint={t("preferences.now", { time })}
            errors={change.error ? [change.error.message] : []}
          />
        </>
      )}
    </Choice>
  );
}

function Choice({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="w-fit text-sm font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  );
}
