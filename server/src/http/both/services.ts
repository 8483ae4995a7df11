import { Type } from "typebox";
import { listHeartbeats } from "../../monitor/heartbeats.ts";
import {
  changeServices,
  createService,
  deleteService,
  getService,
  listServices,
  serviceChecks,
  updateService,
} from "../../monitor/services.ts";
import { mapInTurns } from "../../turns.ts";
import {
  spellService,
  spellServiceDetail,
  V2ServiceDetail,
  V2ServiceListItem,
} from "../../wire/v2/services.ts";
import type { DefineBoth } from "../both-families.ts";
import { describeBulk } from "./monitor-bulk.ts";
import { describeChecks } from "./monitor-checks.ts";

/** The specification's words for a service in v2. */
const detail = { response: V2ServiceDetail, respell: spellServiceDetail };

/** Services: list, create, read, update, delete, one or many. */
export function describeServices(define: DefineBoth): void {
  define({
    verb: listServices,
    method: "GET",
    url: "/api/services",
    summary: "List services",
    description: "Newest first unless sorted otherwise, each with its status and last figures.",
    v2: { response: Type.Array(V2ServiceListItem), respell: (items) => mapInTurns(items, spellService) },
  });
  define({
    verb: createService,
    method: "POST",
    url: "/api/services",
    status: 201,
    failures: [409],
    summary: "Monitor a service",
    description:
      "`protocol` decides what `protocolConfig` holds. The first check runs at once. 403 when the plan's number of monitors is reached.",
    v2: detail,
    message: "Service created.",
  });
  define({
    verb: getService,
    method: "GET",
    url: "/api/services/:id",
    summary: "Get a service",
    description: "Its settings, status and last check. Credentials are never shown.",
    v2: detail,
  });
  define({
    verb: updateService,
    method: "PUT",
    url: "/api/services/:id",
    failures: [409],
    summary: "Change a service",
    description:
      "Any subset of the fields; what is not sent stays. `protocolConfig` is replaced as a whole, except for credentials that are not sent again. `enabled` false pauses it.",
    v2: detail,
    message: "Service updated.",
  });
  define({
    verb: deleteService,
    method: "DELETE",
    url: "/api/services/:id",
    summary: "Stop monitoring a service",
    description:
      "Checks stop and an open outage ends. Name and target can be used again at once; the history is removed with time.",
    message: "Service deleted.",
  });
  define({
    verb: listHeartbeats,
    method: "GET",
    url: "/api/services/:id/heartbeats",
    summary: "What the job of a heartbeat has told, newest first",
    description:
      "For services of protocol heartbeat: each start, end, failure and line of the log, with what was sent along, and each time that nothing came. What was sent along is shown to those who may change the service.",
  });
  describeBulk(define, { url: "/api/services", noun: "service", verb: changeServices });
  describeChecks(define, {
    url: "/api/services",
    noun: "service",
    verbs: serviceChecks,
  });
}
