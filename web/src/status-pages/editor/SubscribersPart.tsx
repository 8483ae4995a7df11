import { useQuery } from "@tanstack/react-query";
import { Download, Mails, Plus, Trash2, Upload } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  KIND_TRAITS,
  SUBSCRIBER_KINDS,
  SUBSCRIBER_STATES,
} from "../../../../server/src/status-pages/subscriber/kinds.ts";
import type { StatusPage } from "../../api/status-pages.ts";
import {
  type Subscriber,
  type SubscribersView,
  subscribersAtOnce,
  subscribersQuery,
  useAddSubscriber,
  useRemoveSubscriber,
} from "../../api/subscribers.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { DeleteDialog } from "../../components/ConfirmDialog.tsx";
import { CopyDialog } from "../../components/CopyButton.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { focusPage, useFocusBack } from "../../components/focus.ts";
import { EmptyState, Loaded } from "../../components/Loaded.tsx";
import { LogPages } from "../../components/LogPages.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { useDebounced } from "../../components/use-now.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { Select } from "../../forms/Select.tsx";
import { formatDateTime } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { ListFilters, SearchBox } from "../../list/ListFilters.tsx";
import { apiPaths } from "../../paths.ts";
import { showToast } from "../../toasts.ts";
import { CannotNotify } from "./EditorCallouts.tsx";
import { ImportSubscribersDialog } from "./ImportSubscribersDialog.tsx";
import { defaultChoices, SubscriptionFields } from "./SubscriptionFields.tsx";

const typingMs = 150;

export function SubscribersPart({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages/editor");
  const { id } = page;
  const [filter, setFilter] = useState<SubscriberFilter>(noFilter);
  const [number, setNumber] = useState(1);
  const search = useDebounced(filter.typed.trim(), typingMs);
  const { kind, state } = filter;
  const query = useQuery(subscribersQuery(id, { search, kind, state, page: number }));
  const isWhole = search === "" && kind === undefined && state === undefined;
  const none = page.url === null ? "noneYetText" : "noneText";
  const [dialog, setDialog] = useState<"add" | "import">();
  const close = () => setDialog(undefined);
  return (
    <Section title={t("subscribers.title")} trailing={<Tools id={id} onOpen={setDialog} />}>
      <div className="px-4 pb-4 empty:hidden">
        <CannotNotify page={page} />
      </div>
      <SubscriberFilters
        filter={filter}
        onChange={(next) => {
          setFilter(next);
          setNumber(1);
        }}
      />
      <Loaded
        of={query}
        failed={t("subscribers.failed")}
        loading={<SubscriberTable pageId={id} subscribers={undefined} />}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState
            icon={<Mails aria-hidden className="size-7" strokeWidth={1.25} />}
            title={t(isWhole ? "subscribers.none" : "subscribers.nothingFits")}
            text={t(`subscribers.${isWhole ? none : "nothingFitsText"}`)}
          />
        }
      >
        {({ items, total }) => (
          <>
            <SubscriberTable pageId={id} subscribers={items} />
            {total > subscribersAtOnce && (
              <LogPages
                page={number}
                pages={Math.ceil(total / subscribersAtOnce)}
                total={total}
                onPage={setNumber}
              />
            )}
          </>
        )}
      </Loaded>
      {dialog === "add" && <AddSubscriberDialog page={page} onClose={close} />}
      {dialog === "import" && <ImportSubscribersDialog page={page} onClose={close} />}
    </Section>
  );
}

function Tools({ id, onOpen }: { id: number; onOpen: (what: "add" | "import") => void }) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="quiet" className="h-8! px-3!" onClick={() => onOpen("add")}>
        <Plus aria-hidden className="-ml-0.5 size-4" />
        {t("subscribers.add")}
      </Button>
      <Button variant="quiet" className="h-8! px-3!" onClick={() => onOpen("import")}>
        <Upload aria-hidden className="-ml-0.5 size-4" />
        {t("subscribers.import")}
      </Button>
      <a
        href={apiPaths.subscribersFile(id)}
        download
        className="inline-flex h-8 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 font-medium shadow-card hover:bg-hover"
      >
        <Download aria-hidden className="-ml-0.5 size-4" />
        {t("subscribers.export")}
      </a>
    </div>
  );
}

function SubscriberTable({ pageId, subscribers }: { pageId: number; subscribers: Subscriber[] | undefined }) {
  const { t, i18n } = useTranslation("status-pages/editor");
  const [removing, setRemoving] = useState<Subscriber | null>(null);
  const removal = useRemoveSubscriber(pageId);
  const state = ({ state: is, endedReason, endedReasonFact }: Subscriber) => (
    <>
      <div className={is === "active" ? "" : "text-ink-muted"}>{t(`subscribers.state.${is}`)}</div>
      {endedReason !== null && (
        <div className="text-xs wrap-anywhere text-ink-faint">
          {translateMessage(endedReason, endedReasonFact)}
        </div>
      )}
    </>
  );
  const columns: Column<Subscriber>[] = [
    {
      id: "address",
      head: t("subscribers.address"),
      names: true,
      cell: ({ address, kind }) => (
        <>
          <div className="font-medium wrap-anywhere">{address}</div>
          <div className="text-xs font-normal text-ink-faint">{t(`subscribers.kind.${kind}`)}</div>
        </>
      ),
    },
    { id: "state", head: t("subscribers.stateHead"), cell: state, wide: true },
    {
      id: "since",
      head: t("subscribers.since"),
      cell: ({ createdAt }) => (
        <span className="text-ink-muted">{formatDateTime(createdAt, i18n.language)}</span>
      ),
      wide: true,
    },
    {
      id: "actions",
      head: <span className="sr-only">{t("subscribers.actions")}</span>,
      align: "end",
      width: "w-16",
      cell: (one) => (
        <IconButton
          label={t("subscribers.remove", { address: one.address })}
          className="-my-1.5 -mr-2"
          onClick={() => setRemoving(one)}
        >
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      ),
    },
  ];
  return (
    <>
      <Table columns={columns} rows={subscribers} keyOf={({ id }) => id} note={state} />
      {removing && (
        <DeleteDialog
          id={removing.id}
          words={{
            title: t("subscribers.removeTitle", { address: removing.address }),
            text: t("subscribers.removeText"),
            done: t("subscribers.removed", { address: removing.address }),
          }}
          deletion={removal}
          focusInstead={focusPage}
          onDone={() => setRemoving(null)}
        />
      )}
    </>
  );
}

/** Which of a page's subscribers are looked at. */
interface SubscriberFilter extends Pick<SubscribersView, "kind" | "state"> {
  /** In the search box. */
  typed: string;
}

const noFilter: SubscriberFilter = { typed: "" };

interface SubscriberFiltersProps {
  filter: SubscriberFilter;
  onChange: (filter: SubscriberFilter) => void;
}

function SubscriberFilters({ filter, onChange }: SubscriberFiltersProps) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <div className="px-4 pt-2">
      <ListFilters
        active={[filter.kind, filter.state].filter((one) => one !== undefined).length}
        search={
          <SearchBox
            label={t("subscribers.search")}
            search={filter.typed}
            onSearch={(typed) => onChange({ ...filter, typed })}
          />
        }
      >
        <Select
          aria-label={t("subscribers.kindLabel")}
          className="w-44!"
          value={filter.kind ?? ""}
          options={[
            ["", t("subscribers.anyKind")],
            ...SUBSCRIBER_KINDS.map((one) => [one, t(`subscribers.kind.${one}`)] as const),
          ]}
          onChange={(next) => onChange({ ...filter, kind: SUBSCRIBER_KINDS.find((one) => one === next) })}
        />
        <Select
          aria-label={t("subscribers.stateHead")}
          className="w-52!"
          value={filter.state ?? ""}
          options={[
            ["", t("subscribers.anyState")],
            ...SUBSCRIBER_STATES.map((one) => [one, t(`subscribers.state.${one}`)] as const),
          ]}
          onChange={(next) => onChange({ ...filter, state: SUBSCRIBER_STATES.find((one) => one === next) })}
        />
      </ListFilters>
    </div>
  );
}

/** What a phone's keyboard is made for. */
const inputModes = { mailbox: "email", url: "url" } as const;

/** Adds a subscriber; of a webhook, the secret is shown this once. */
function AddSubscriberDialog({ page, onClose }: { page: StatusPage; onClose: () => void }) {
  const { t } = useTranslation("status-pages/editor");
  const add = useAddSubscriber(page.id);
  const focusBack = useFocusBack();
  const { form, fields, failure } = useFormErrors(add.error, ["address", "agreed"]);
  const [kind, setKind] = useState<Subscriber["kind"]>("email");
  const { needsConfirmation, address: typed } = KIND_TRAITS[kind];
  const [address, setAddress] = useState("");
  const [choices, setChoices] = useState(() => defaultChoices(page));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { kind, address, ...choices },
      {
        onSuccess: (added) => {
          const key = page.url === null ? "confirmsLater" : "confirms";
          showToast("success", t(`subscribers.${added.state === "waiting" ? key : "added"}`));
          if (added.secret === null) onClose();
        },
      },
    );
  };
  if (typeof add.data?.secret === "string") {
    return (
      <CopyDialog
        title={t("subscribers.secret")}
        text={t("subscribers.secretText")}
        value={add.data.secret}
        doneLabel={t("subscribers.done")}
        onLeft={focusBack}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title={t("subscribers.addTitle")}
      text={t(needsConfirmation && !choices.agreed ? "subscribers.addText" : "subscribers.addTextOthers")}
      onLeft={focusBack}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <CannotNotify page={page} />
        <FailureCallout of={failure} />
        <LabelledSelect
          label={t("subscribers.kindLabel")}
          value={kind}
          options={SUBSCRIBER_KINDS.map((one) => [one, t(`subscribers.kind.${one}`)])}
          onChange={(next) => setKind(next as Subscriber["kind"])}
        />
        <Field
          label={t(`subscribers.typed.${typed}`)}
          value={address}
          errors={fields["address"]}
          inputMode={inputModes[typed]}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setAddress(target.value)}
        />
        <SubscriptionFields page={page} choices={choices} errors={fields} onChange={setChoices} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={add.isPending}>
            {t("subscribers.addSubmit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
