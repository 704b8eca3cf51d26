// Answers cases of tests/judges/iam.py with @cloud-copilot/iam-simulate, a program of its own: one JSON case a line on stdin, one word a
// line on stdout ("allowed", "explicit", "implicit", or "refused" and its reason). The package is AGPL-3.0: it is run here, never copied.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const require = createRequire(pathToFileURL(process.argv[2] + '/package.json'));
const { runSimulation } = require('@cloud-copilot/iam-simulate');

const WORDS = { Allowed: 'allowed', ExplicitlyDenied: 'explicit', ImplicitlyDenied: 'implicit' };

const named = (documents) => (documents ?? []).map((policy, number) => ({ name: String(number), policy }));

const levels = (found) =>
  (found ?? []).map((documents, number) => ({ orgIdentifier: String(number), policies: named(documents) }));

const simulation = (asked) => ({
  request: {
    principal: asked.principal === 'anonymous' ? { type: 'Anonymous' } : asked.principal,
    action: asked.action,
    resource: { resource: asked.resource, accountId: asked.resourceAccount },
    contextVariables: asked.context,
  },
  identityPolicies: named(asked.identity),
  serviceControlPolicies: levels(asked.serviceControl),
  resourceControlPolicies: levels(asked.resourceControl),
  ...(asked.resourcePolicy && { resourcePolicy: asked.resourcePolicy }),
  ...(asked.boundary && { permissionBoundaryPolicies: named(asked.boundary) }),
  ...(asked.session && { sessionPolicy: asked.session[0] }),
  ...(asked.endpoint && { vpcEndpointPolicies: named(asked.endpoint) }),
  additionalSettings: {
    s3: {
      bucketAbacEnabled: asked.settings?.bucketAbac ?? true,
      blockPublicAccess: asked.settings?.blockPublicAccess ?? false,
    },
  },
});

for await (const line of createInterface({ input: process.stdin })) {
  const found = await runSimulation(simulation(JSON.parse(line)), { simulationMode: 'Strict' });
  const refused = found.resultType === 'error' && `refused ${JSON.stringify(found.errors)}`;
  const ignored = found.result?.ignoredContextKeys ?? [];
  process.stdout.write(`${refused || WORDS[found.overallResult]}\t${ignored.join(',')}\n`);
}
