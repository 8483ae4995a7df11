import { expect, test } from "vitest";
import { notifyOfCertificates } from "../../../src/alerts/certificates/notify-of-certificates.ts";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { probed } from "../../app/pipeline/setup.ts";
import { respond } from "../../harness/behaviours.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startTelling } from "../channel-setup.ts";
import { CASES } from "../channels/channel-cases.ts";

eachEngine("channels, of certificates of what was paused,", (engine) => {
  test.each([false, true])(
    "have their alert again when it is watched again (known as new: %s)",
    async (isForgotten) => {
      const { server, now, deliver, pass, target, addChannel, addMonitor, received } =
        await startTelling(engine);
      target.set(respond({ status: 202, body: "{}" }));
      await addChannel({ type: "pagerduty", config: CASES.pagerduty.config(target.url) });
      const id = await addMonitor({ name: "Till", ignoreCertificate: true });
      const invalid = {
        valid: false,
        invalidCode: "self_signed",
        invalidReason: msg("certificate.self_signed"),
      };
      const look = async (isSeen: boolean) => {
        pass(61_000);
        const known = { issuer: "CN=E7", chain: [], fingerprint: "aa", expiresAt: now() + 90 * 86_400_000 };
        if (isSeen)
          await ingestBatch(server.ctx, [
            probed(id, now(), { certificate: { ...known, ...invalid } } as never),
          ]);
        await notifyOfCertificates(server.ctx, { isSkewSuspected: false });
        await deliver();
      };
      await look(true);
      await server.api("PUT", `/api/domains/${id}`, { enabled: false });
      await look(false);
      if (isForgotten) await server.ctx.store.db.deleteFrom("certificate_warnings").execute();
      await server.api("PUT", `/api/domains/${id}`, { enabled: true });
      await look(true);
      await look(true);
      expect(received().map((sent) => sent["event_action"])).toEqual(["trigger", "resolve", "trigger"]);
    },
  );
});
