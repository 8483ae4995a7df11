import { useTranslation } from "react-i18next";
import { type Channel, useDeleteChannel } from "../../api/channels.ts";
import { DeleteDialog } from "../../components/DeleteDialog.tsx";
import { focusPage } from "../../components/focus-page.ts";

/** Asks, deletes, and says so. */
export function DeleteChannelDialog({ channel, onDone }: { channel: Channel; onDone: () => void }) {
  const { t } = useTranslation("settings/channels");
  const { id, name } = channel;
  const words = {
    title: t("delete.title", { name }),
    text: t("delete.text"),
    done: t("delete.done", { name }),
  };
  const deletion = useDeleteChannel();
  return <DeleteDialog id={id} words={words} deletion={deletion} focusInstead={focusPage} onDone={onDone} />;
}
