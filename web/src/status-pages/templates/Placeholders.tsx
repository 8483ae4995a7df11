import { useTranslation } from "react-i18next";
import { PLACEHOLDERS } from "../../../../server/src/page/update/template-text.ts";
import { Section } from "../../components/Section.tsx";

/** What can stand in a template for what differs from incident to incident. */
export function Placeholders() {
  const { t } = useTranslation("status-pages/templates");
  return (
    <Section title={t("placeholders.title")}>
      <dl className="grid gap-x-4 gap-y-1.5 px-4 pb-4 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
        {PLACEHOLDERS.map((name) => (
          <div key={name} className="contents">
            <dt>
              <code className="rounded-xs bg-hover px-1 py-0.5 text-xs">{`{${name}}`}</code>
            </dt>
            <dd className="text-ink-muted max-sm:mb-1.5">{t(`placeholders.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
