import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { FieldErrors } from "../../api/client.ts";
import { authStateQuery } from "../../api/session.ts";
import type { StatusPage } from "../../api/status-pages.ts";
import type { SubscriptionChoices } from "../../api/subscribers.ts";
import { FieldNote } from "../../components/Field.tsx";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { currentLanguage } from "../../i18n/i18n.ts";
import { type Language, languageCodes, languages } from "../../i18n/languages.ts";

/** The default of new subscribers: everything, in a language of the page, after a confirmation. */
export function defaultChoices({ appearance }: StatusPage): SubscriptionChoices {
  const offered = appearance.languages.length === 0 ? languageCodes : appearance.languages;
  const own = offered.find((code) => code === currentLanguage());
  return { components: null, language: own ?? offered[0] ?? "en", agreed: false };
}

interface SubscriptionFieldsProps {
  page: StatusPage;
  choices: SubscriptionChoices;
  errors: FieldErrors;
  onChange: (choices: SubscriptionChoices) => void;
}

/** What new subscribers are notified of, in which language, and whether they have to confirm. */
export function SubscriptionFields({ page, choices, errors, onChange }: SubscriptionFieldsProps) {
  const { t } = useTranslation("status-pages/editor");
  const { data: auth } = useQuery(authStateQuery);
  const { components, language, agreed } = choices;
  const toggle = (uuid: string, on: boolean) => {
    const chosen = page.components
      .map((one) => one.uuid)
      .filter((one) => (one === uuid ? on : (components?.includes(one) ?? true)));
    onChange({ ...choices, components: chosen.length === page.components.length ? null : chosen });
  };
  return (
    <>
      {page.components.length > 1 && (
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-medium">{t("subscribers.components")}</legend>
          <div className="-m-1 grid max-h-40 gap-2 overflow-y-auto p-1 text-sm">
            {page.components.map(({ uuid, displayName }) => (
              <Tick
                key={uuid}
                type="checkbox"
                checked={components?.includes(uuid) ?? true}
                onChange={(on) => toggle(uuid, on)}
              >
                {displayName}
              </Tick>
            ))}
          </div>
          {errors["components"] && <FieldNote id="components-note" errors={errors["components"]} />}
        </fieldset>
      )}
      <LabelledSelect
        label={t("subscribers.language")}
        value={language}
        options={languageCodes.map((code) => [code, languages[code]])}
        onChange={(next) => onChange({ ...choices, language: next as Language })}
      />
      {auth?.signupOpen === false && (
        <div className="grid gap-1 text-sm">
          <Tick type="checkbox" checked={agreed} onChange={(on) => onChange({ ...choices, agreed: on })}>
            {t("subscribers.agreed")}
          </Tick>
          {errors["agreed"] && <FieldNote id="agreed-note" errors={errors["agreed"]} />}
        </div>
      )}
    </>
  );
}
