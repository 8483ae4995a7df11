import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { mailSettingsQuery } from "../../api/mail.ts";
import { useMayWrite, useRole } from "../../api/roles.ts";
import { Callout } from "../../components/Callout.tsx";
import { Refused } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { showToast } from "../../toasts.ts";
import { ChannelBar } from "./ChannelBar.tsx";
import { ChannelForm, channelTypes } from "./ChannelForm.tsx";

/** What an owner should know before typing an address: nothing is mailed from here. */
function NoMail() {
  const { t } = useTranslation("settings/channels");
  const { data } = useQuery(mailSettingsQuery);
  if (data?.server !== null) return null;
  return (
    <div className="mb-4">
      <Callout tone="info">{t("noMail")}</Callout>
    </div>
  );
}

/** A channel that is to be added: its type first, because the rest follows from it. */
export function NewChannelPage() {
  const { t } = useTranslation("settings/channels");
  usePageTitle(t("newTitle"));
  const navigate = useNavigate();
  const role = useRole();
  const mayWrite = useMayWrite();
  const [type, setType] = useState(channelTypes[0] ?? "");
  if (!mayWrite) {
    return (
      <>
        <ChannelBar title={t("newTitle")} />
        <Refused role={role} />
      </>
    );
  }
  return (
    <>
      <ChannelBar title={t("newTitle")} />
      <div className="mb-4">
        <LabelledSelect
          label={t("typeLabel")}
          value={type}
          options={channelTypes.map((one) => [one, t(`type.${one}` as "type.slack", { defaultValue: one })])}
          onChange={setType}
        />
      </div>
      {type === "email" && role === "owner" && <NoMail />}
      <ChannelForm
        key={type}
        type={type}
        channel={null}
        onDone={(saved) => {
          if (!saved) return;
          showToast("success", t(saved.confirmed ? "added" : "unconfirmed.added", saved));
          void navigate({ to: "/settings/channels/$id", params: { id: String(saved.id) }, replace: true });
        }}
      />
    </>
  );
}
