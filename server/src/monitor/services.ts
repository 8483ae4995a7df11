import { readServiceInput, ServiceCreate, ServiceUpdate } from "../wire/service-input.ts";
import {
  DeletedService,
  projectService,
  projectServiceDetail,
  ServiceDetail,
  ServiceListItem,
  ServiceListQuery,
} from "../wire/services.ts";
import { monitorVerbs } from "./monitor-verbs.ts";

/** What can be done with services (monitor-verbs.ts). */
export const {
  list: listServices,
  sparklines: listServiceSparklines,
  get: getService,
  create: createService,
  update: updateService,
  remove: deleteService,
} = monitorVerbs({
  kind: "service",
  query: ServiceListQuery,
  item: ServiceListItem,
  detail: ServiceDetail,
  create: ServiceCreate,
  update: ServiceUpdate,
  deleted: DeletedService,
  readInput: readServiceInput,
  projectItem: projectService,
  projectDetail: projectServiceDetail,
});
