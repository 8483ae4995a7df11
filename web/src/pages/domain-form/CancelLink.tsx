import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/ButtonLink.tsx";
import { paths } from "../../paths.ts";

/** Back to the domain of that number, or to the list from a new one. */
export function CancelLink({ id }: { id: number | null }) {
  const { t } = useTranslation();
  if (id === null) return <ButtonLink to={paths.domains}>{t("action.cancel")}</ButtonLink>;
  return (
    <ButtonLink to={paths.domain} params={{ id: String(id) }}>
      {t("action.cancel")}
    </ButtonLink>
  );
}
