import { useTranslation } from "react-i18next";
import { type Integration, useUnlinkAccount } from "../../api/integrations.ts";
import { DeleteDialog } from "../../components/DeleteDialog.tsx";
import { focusPage } from "../../components/focus-page.ts";

interface UnlinkDialogProps {
  account: Integration;
  onDone: () => void;
}

/** Asks, forgets the account, and says so. */
export function UnlinkDialog({ account: { id, name, provider }, onDone }: UnlinkDialogProps) {
  const { t } = useTranslation("settings/integrations");
  const words = {
    title: t("unlink.title", { name }),
    text: t("unlink.text"),
    done: t("unlink.done", { name }),
    submit: t("unlink.submit"),
  };
  const deletion = useUnlinkAccount(provider);
  return <DeleteDialog id={id} words={words} deletion={deletion} focusInstead={focusPage} onDone={onDone} />;
}
