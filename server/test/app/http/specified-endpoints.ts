/** An endpoint as the specification's tables have it; a dash: not shown there. */
export interface SpecifiedEndpoint {
  method: string;
  /** With its parameters in braces. */
  path: string;
  request: string;
  response: string;
}

/** "Endpoints" of the specification, word for word: headings, and a row for each endpoint. */
const TABLES = `
Public
| GET | /check-domain | query \`domain\` string, required | 200; envelope with \`data\` = domain availability check result |
v2 family (Expert plan)
| GET | /v2/domains | query \`page\` integer default 1; \`per_page\` integer default 15, max 100 | envelope, \`data\` array of v2 domain list items |
| POST | /v2/domains | JSON body \`name\` string, \`url\` string | envelope, \`data\` v2 domain |
| GET | /v2/domains/{uuid} | path \`uuid\` uuid | envelope, \`data\` v2 domain |
| GET | /v2/devices | query \`page\` integer default 1; a page-size parameter, max 100 | envelope, \`data\` array of v2 devices |
| GET | /v2/devices/{uuid} | path \`uuid\` uuid | envelope, \`data\` v2 device |
| GET | /v2/services/{uuid} | path \`uuid\` uuid | envelope, \`data\` v2 service monitor |
Legacy: domains
| GET | /api/domains | query page number default 1, limit number default 20, organization string, search string (name or URL), status string (\`up\`, \`down\`, \`unknown\`) | list with pagination |
| POST | /api/domains | body as Domain create request | \`data\` = create response |
| GET | /api/domains/{id} | - | \`data\` = detail |
| PUT | /api/domains/{id} | body as update request | - |
| DELETE | /api/domains/{id} | - | - |
| GET | /api/domains/stats | query organization | \`data\` = stats |
| GET | /api/domains/response-time-trends | query organization; range one of \`1h\`, \`24h\`, \`7d\`, \`30d\`, default \`24h\` | \`data\` array of trend items |
| GET | /api/domains/{id}/monitoring/history | range as above; limit number default 100 | \`data\` array of history items |
| GET | /api/domains/{id}/monitoring/locations | range as above; limit per location default 100 | per-location data |
| GET | /api/domains/fetch-title | query url string, required | \`data\` = title lookup |
| GET | /api/domains/{id}/icon | - | \`data\` = icon |
| GET | /api/domains/{id}/summary | - | \`data\` = summary |
Legacy: devices
| GET | /api/devices | query organizationId | \`data\` array of list items |
| GET | /api/devices/stats | query organizationId | \`data\` = stats |
| GET | /api/devices/{deviceId} | - | \`data\` = detail |
| POST | /api/devices/{deviceId}/regenerate-token | - | \`data\` = {token}; issues a new agent token |
| GET | /api/devices/{deviceId}/metrics | query type (\`cpu\`, \`memory\`, \`disk\`, \`network\`), limit default 100 | \`data\` array of metrics |
| GET | /api/devices/{deviceId}/processes | - | \`data\` array of processes |
| GET | /api/devices/{deviceId}/applications | - | \`data\` array of applications |
| GET | /api/devices/{deviceId}/network | - | \`data\` array of connections |
Legacy: services
| GET | /api/services | query organizationId | \`data\` array of list items |
| POST | /api/services | Legacy create request | - |
| GET | /api/services/{id} | - | - |
| PUT | /api/services/{id} | - | - |
| DELETE | /api/services/{id} | - | - |
| POST | /api/services/{id}/check | - | \`data\` = manual check result |
| GET | /api/services/{id}/history | query limit default 100 | \`data\` array of history items |
Legacy: integrations
| GET | /api/cloudprovider/accounts | - | - |
| POST | /api/cloudprovider/accounts | cloud provider account body | - |
| GET | /api/cloudprovider/accounts/{accountId}/services | - | - |
| POST | /api/cloudprovider/accounts/{accountId}/services/{serviceId}/monitor | - | starts monitoring |
| GET | /api/deployplatform/instances | - | - |
| POST | /api/deployplatform/instances | instance body | - |
| GET | /api/deployplatform/instances/{instanceId}/resources | - | - |
| GET | /api/hostingplatform/accounts | - | - |
| POST | /api/hostingplatform/accounts | - | links an account via OAuth |
| GET | /api/hostingplatform/accounts/{accountId}/projects | - | - |
Legacy: toolbox
| POST | /api/toolbox/dns-lookup | domain, record_type | \`data\` = DNS result |
| POST | /api/toolbox/port-scanner | target, scanType, protocol, timeout | streamed NDJSON, one JSON object per line: {type \`progress\`, progress number} repeated, then {type \`result\`, results {openPorts array of port numbers, totalScanned number}} |
| POST | /api/toolbox/ip-scanner | ip | \`data\` = geolocation |
Legacy: status pages
| GET | /api/status-pages | - | - |
| POST | /api/status-pages | status page create request | - |
| GET | /api/status-pages/{id} | - | - |
| PUT | /api/status-pages/{id} | - | - |
| DELETE | /api/status-pages/{id} | - | - |
| GET | /api/status-pages/{slug}/public | - | public status page data for visitors |
| POST | /api/status-pages/{id}/domains | domainId, displayName | - |
| POST | /api/status-pages/{id}/devices | - | - |
| POST | /api/status-pages/{id}/services | - | - |
Legacy: incidents
| GET | /api/incidents | query status, severity, organizationId | \`data\` array of incidents |
| POST | /api/incidents | - | - |
| GET | /api/incidents/{id} | - | - |
| PUT | /api/incidents/{id} | - | - |
| GET | /api/incidents/{id}/updates | - | - |
| POST | /api/incidents/{id}/updates | message, status | - |
| GET | /api/incidents/{id}/comments | - | - |
| POST | /api/incidents/{id}/comments | content, isInternal | - |
Legacy: notifications, dashboard, keys, chat, reports, health
| GET | /api/notifications/settings | - | - |
| PUT | /api/notifications/settings | notification settings body | - |
| GET | /api/notifications | query limit default 50 | \`data\` array of notifications |
| PUT | /api/notifications/{id}/read | - | marks notification as read |
| GET | /api/dashboard/stats | - | \`data\` = dashboard stats |
| GET | /api/dashboard/recent-activity | - | - |
| GET | /api-keys | - | - |
| POST | /api-keys | name, scopes | - |
| DELETE | /api-keys/{id} | - | - |
| GET | /api/chat/conversations | - | - |
| POST | /api/chat/conversations | chat conversation body | - |
| GET | /api/chat/conversations/{id} | - | - |
| GET | /api/reports/domains | query organizationId, range (\`24h\`, \`7d\`, \`30d\`) | report; Reports plan |
| GET | /api/reports/devices | - | report |
| GET | /api/reports/incidents | - | report |
| GET | /api/health | - | {status, timestamp} |
`;

/** Every endpoint that the specification shows. */
export const SPECIFIED: readonly SpecifiedEndpoint[] = TABLES.split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => {
    const [method = "", path = "", request = "", response = ""] = line
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
    return { method, path, request, response };
  });
