import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/ButtonLink.tsx";
import { useKind } from "../use-kind.ts";

/** Back to the monitor of that number, or to the list from a new one. */
export function CancelLink({ id }: { id: number | null }) {
  const { t } = useTranslation();
  const { pages } = useKind();
  if (id === null) return <ButtonLink to={pages.list}>{t("action.cancel")}</ButtonLink>;
  return (
    <ButtonLink to={pages.one} params={{ id: String(id) }}>
      {t("action.cancel")}
    </ButtonLink>
  );
}
