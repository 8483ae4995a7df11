import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  CONVERSATIONS_AT_ONCE,
  conversationsQuery,
  type ListedConversation,
  MAX_CONVERSATIONS,
  useDeleteConversation,
  useRenameConversation,
} from "../../api/assistant.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { DeleteDialog } from "../../components/ConfirmDialog.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { Menu, MenuItem } from "../../components/Menu.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { useNow } from "../../components/use-now.ts";
import { formatAgo } from "../../i18n/format.ts";
import { keepFocusInPanel } from "./panel-state.ts";

interface ConversationListProps {
  shownId: number | null;
  onShow: (id: number) => void;
  onDeleted: (id: number) => void;
  focusInstead: () => void;
}

/** The reader's conversations, each of which can be opened, renamed and deleted. */
export function ConversationList({ shownId, onShow, onDeleted, focusInstead }: ConversationListProps) {
  const { t } = useTranslation("frame/assistant");
  const [limit, setLimit] = useState(CONVERSATIONS_AT_ONCE);
  const query = useQuery(conversationsQuery(limit));
  const isGrowing = query.isPlaceholderData;
  const [changed, setChanged] = useState<{
    is: "renamed" | "deleted";
    conversation: ListedConversation;
  } | null>(null);
  const close = () => setChanged(null);
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain p-2">
      <Loaded
        of={query}
        failed={t("failed")}
        loading={<ListSkeleton />}
        empty={<p className="p-4 text-center text-pretty text-ink-faint">{t("none")}</p>}
      >
        {(conversations) => (
          <>
            <ul aria-label={t("conversations")} className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
              {conversations.map((conversation) => (
                <Row
                  key={conversation.id}
                  conversation={conversation}
                  isShown={conversation.id === shownId}
                  onShow={() => onShow(conversation.id)}
                  onChange={(is) => setChanged({ is, conversation })}
                />
              ))}
            </ul>
            {(isGrowing || (conversations.length >= limit && limit < MAX_CONVERSATIONS)) && (
              <div className="p-2 text-center">
                <Button
                  ref={keepFocusInPanel}
                  variant="quiet"
                  busy={isGrowing}
                  onClick={() => setLimit(limit + CONVERSATIONS_AT_ONCE)}
                >
                  {t("more")}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
      {changed?.is === "renamed" && <RenameDialog conversation={changed.conversation} onDone={close} />}
      {changed?.is === "deleted" && (
        <DeleteConversation
          conversation={changed.conversation}
          onDeleted={onDeleted}
          focusInstead={focusInstead}
          onDone={close}
        />
      )}
    </div>
  );
}

interface RowProps {
  conversation: ListedConversation;
  isShown: boolean;
  onShow: () => void;
  onChange: (is: "renamed" | "deleted") => void;
}

function Row({ conversation: { title, updatedAt }, isShown, onShow, onChange }: RowProps) {
  const { t, i18n } = useTranslation("frame/assistant");
  const now = useNow();
  return (
    <li className="flex items-center gap-1 rounded-md hover:bg-hover">
      <button
        type="button"
        aria-current={isShown || undefined}
        onClick={onShow}
        className="grid min-w-0 flex-1 gap-0.5 rounded-md px-2 py-1.5 text-left aria-[current]:font-medium"
      >
        <span className="truncate">{title}</span>
        <span className="text-xs font-normal text-ink-faint">
          {formatAgo(now - Date.parse(updatedAt), i18n.language)}
        </span>
      </button>
      <Menu
        trigger={
          <IconButton label={t("menu", { title })}>
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onChange("renamed")}>
          {t("rename.action")}
        </MenuItem>
        <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => onChange("deleted")}>
          {t("delete.action")}
        </MenuItem>
      </Menu>
    </li>
  );
}

interface DeleteConversationProps extends Pick<ConversationListProps, "onDeleted" | "focusInstead"> {
  conversation: ListedConversation;
  onDone: () => void;
}

function DeleteConversation({ conversation, onDeleted, focusInstead, onDone }: DeleteConversationProps) {
  const { t } = useTranslation("frame/assistant");
  const deletion = useDeleteConversation(onDeleted);
  const { id, title } = conversation;
  const words = { title: t("delete.title", { title }), text: t("delete.text"), done: t("delete.done") };
  return (
    <DeleteDialog id={id} words={words} deletion={deletion} focusInstead={focusInstead} onDone={onDone} />
  );
}

function RenameDialog({ conversation, onDone }: { conversation: ListedConversation; onDone: () => void }) {
  const { t } = useTranslation("frame/assistant");
  const [title, setTitle] = useState(conversation.title);
  const { mutate, isPending, error } = useRenameConversation();
  const { form, fields, failure } = useFormErrors(error, ["title"]);
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate({ id: conversation.id, title }, { onSuccess: onDone });
  };
  return (
    <Dialog title={t("rename.title")} onLeft={useFocusBack()} onClose={onDone}>
      <form ref={form} onSubmit={save} noValidate className="mt-4 grid gap-4">
        <FailureCallout of={failure} />
        <Field
          label={t("rename.label")}
          value={title}
          maxLength={255}
          errors={fields["title"]}
          onChange={(event) => setTitle(event.target.value)}
        />
        <DialogButtons onCancel={onDone}>
          <Button type="submit" busy={isPending}>
            {t("rename.save")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function ListSkeleton() {
  return (
    <div aria-hidden className="grid gap-4 p-2">
      {["w-56", "w-64", "w-48"].map((width) => (
        <Skeleton key={width} className={`h-4 max-w-full ${width}`} />
      ))}
    </div>
  );
}
