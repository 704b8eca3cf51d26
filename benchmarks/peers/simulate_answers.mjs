// iam-simulate's answers to the questions of a file: node simulate_answers.mjs FOLDER-OF-node_modules FILE
// Prints one JSON object: CPU seconds of the answers alone, the answers, and the seconds of those that it can give without validating the input.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(pathToFileURL(`${process.argv[2]}/x.js`))
const { runSimulation, runUnsafeSimulation } = require('@cloud-copilot/iam-simulate')
const told = JSON.parse(readFileSync(process.argv[3], 'utf8'))

const roles = new Map(told.roles.map((role) => [role.Arn, role]))
const named = (name, policy) => ({ name, policy })
const seconds = (since) => (({ user, system }) => (user + system) / 1e6)(process.cpuUsage(since))
const level = (policies, n) => ({ orgIdentifier: `level-${n}`, policies: policies.map((policy, m) => named(`policy-${m}`, policy)) })

function simulation(asked) {
  const role = roles.get(asked.principal)
  const tags = role.Tags.map((tag) => [`aws:PrincipalTag/${tag.Key}`, tag.Value])
  const account = asked.principal.split(':')[4]
  const boundary = role.PermissionsBoundary?.PermissionsBoundaryArn
  return {
    request: {
      principal: asked.principal,
      action: asked.action,
      resource: { resource: asked.resource, accountId: asked.account },
      contextVariables: {
        ...asked.context, ...Object.fromEntries(tags),
        'aws:PrincipalArn': asked.principal, 'aws:PrincipalAccount': account, 'aws:SecureTransport': 'true', 'aws:PrincipalIsAWSService': 'false',
      },
    },
    identityPolicies: [
      ...role.RolePolicyList.map((policy) => named(policy.PolicyName, policy.PolicyDocument)),
      ...role.AttachedManagedPolicies.map((policy) => named(policy.PolicyName, told.managed[policy.PolicyArn])),
    ],
    serviceControlPolicies: told.levels.map(level),
    resourceControlPolicies: told.resourceLevels.map(level),
    resourcePolicy: asked.guard.Statement.length ? asked.guard : undefined,
    permissionBoundaryPolicies: boundary ? [named('boundary', told.managed[boundary])] : undefined,
    additionalSettings: { s3: { bucketAbacEnabled: true } },
  }
}

const simulations = told.questions.map(simulation)
const answers = []
let begin = process.cpuUsage()
for (const each of simulations) {
  const found = await runSimulation(each, {})
  answers.push(found.resultType === 'error' ? `error ${JSON.stringify(found.errors)}`.slice(0, 200) : found.overallResult)
}
const validated = seconds(begin)
// The way without validation fails on requests with a resource policy.
const plain = simulations.filter((each) => each.resourcePolicy === undefined)
begin = process.cpuUsage()
for (const each of plain) runUnsafeSimulation(each, {})
console.log(JSON.stringify({ seconds: validated, answers, unsafeSeconds: seconds(begin), unsafe: plain.length }))
