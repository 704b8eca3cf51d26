// iam-simulate's answers to the questions of a file: node simulate_answers.mjs FOLDER-OF-node_modules FILE
// Prints one JSON object: CPU seconds of the answers alone, with and without its validation of the input, and the answers.
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
    resourcePolicy: asked.guard ?? undefined,
    permissionBoundaryPolicies: boundary ? [named('boundary', told.managed[boundary])] : undefined,
    additionalSettings: { s3: { bucketAbacEnabled: true } },
  }
}

const simulations = told.questions.map(simulation)
const answers = []
let begin = process.cpuUsage()
for (const each of simulations) {
  try {
    answers.push(runUnsafeSimulation(each, {}).result ?? 'none')
  } catch (error) {
    answers.push(`error ${error.message}`.slice(0, 120))
  }
}
const unsafe = seconds(begin)
begin = process.cpuUsage()
let checked = 0
for (const each of simulations.slice(0, told.validated)) {
  await runSimulation(each, {})
  checked += 1
}
console.log(JSON.stringify({ seconds: unsafe, answers, validatedSeconds: seconds(begin), validated: checked }))
