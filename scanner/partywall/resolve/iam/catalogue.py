"""What a right is worth: the actions by which one principal becomes another, as data.

IAM user guide, "Grant a user permissions to pass a role to an AWS service"; the actions are those of the service authorization reference.
"""

from dataclasses import dataclass

from partywall.model.facts_iam import HolderKind


@dataclass(frozen=True, slots=True)
class Rewrite:
    """An action on a principal that changes what it is or may do. `keys` fill in what the caller would choose to make it worth most."""

    action: str
    on: HolderKind
    verb: str
    keys: tuple[tuple[str, str], ...] = ()


ADMINISTRATOR = "arn:aws:iam::aws:policy/AdministratorAccess"

REWRITES: tuple[Rewrite, ...] = (
    Rewrite("iam:putrolepolicy", HolderKind.ROLE, "edits policies of"),
    Rewrite("iam:attachrolepolicy", HolderKind.ROLE, "edits policies of", (("iam:policyarn", ADMINISTRATOR),)),
    Rewrite("iam:updateassumerolepolicy", HolderKind.ROLE, "edits trust of"),
    Rewrite("iam:putuserpolicy", HolderKind.USER, "edits policies of"),
    Rewrite("iam:attachuserpolicy", HolderKind.USER, "edits policies of", (("iam:policyarn", ADMINISTRATOR),)),
    Rewrite("iam:createaccesskey", HolderKind.USER, "reads credential of"),
    Rewrite("iam:createloginprofile", HolderKind.USER, "reads credential of"),
    Rewrite("iam:updateloginprofile", HolderKind.USER, "reads credential of"),
    Rewrite("iam:putgrouppolicy", HolderKind.GROUP, "edits policies of"),
    Rewrite("iam:attachgrouppolicy", HolderKind.GROUP, "edits policies of", (("iam:policyarn", ADMINISTRATOR),)),
    Rewrite("iam:addusertogroup", HolderKind.GROUP, "manages members of"),
)
# Rewrites by which a principal that may do them to itself gives itself everything in its account.
OWN_POLICIES = frozenset({"edits policies of"})
VERSIONS = ("iam:createpolicyversion", "iam:setdefaultpolicyversion")


@dataclass(frozen=True, slots=True)
class Launch:
    """Actions that, together with iam:PassRole to `service`, run the caller's code or session with the role that is passed."""

    service: str
    actions: tuple[str, ...]
    verb: str = "passes"
    needs_profile: bool = False


LAUNCHES: tuple[Launch, ...] = (
    Launch("lambda.amazonaws.com", ("lambda:createfunction", "lambda:invokefunction")),
    Launch("lambda.amazonaws.com", ("lambda:createfunction", "lambda:createeventsourcemapping")),
    Launch("lambda.amazonaws.com", ("lambda:createfunction", "lambda:addpermission")),
    Launch("lambda.amazonaws.com", ("lambda:updatefunctionconfiguration", "lambda:updatefunctioncode")),
    Launch("ec2.amazonaws.com", ("ec2:runinstances",), needs_profile=True),
    Launch("ec2.amazonaws.com", ("ec2:requestspotinstances",), needs_profile=True),
    Launch("ec2.amazonaws.com", ("ec2:associateiaminstanceprofile",), needs_profile=True),
    Launch("sagemaker.amazonaws.com", ("sagemaker:createtrainingjob",)),
    Launch("sagemaker.amazonaws.com", ("sagemaker:createprocessingjob",)),
    Launch("sagemaker.amazonaws.com", ("sagemaker:createnotebookinstance",)),
    Launch("sagemaker.amazonaws.com", ("sagemaker:createcluster",)),
    Launch("sagemaker.amazonaws.com", ("sagemaker:updatecluster",)),
    Launch("sagemaker.amazonaws.com", ("sagemaker:createmodel",)),
    Launch("sagemaker.amazonaws.com", ("sagemaker:createpipeline",)),
    Launch("sagemaker.amazonaws.com", ("sagemaker:createuserprofile",), "swaps execution role to"),
    Launch("sagemaker.amazonaws.com", ("sagemaker:updateuserprofile",), "swaps execution role to"),
    Launch("sagemaker.amazonaws.com", ("sagemaker:updatedomain",), "swaps execution role to"),
    Launch("glue.amazonaws.com", ("glue:createjob", "glue:startjobrun")),
    Launch("glue.amazonaws.com", ("glue:createjob", "glue:createtrigger")),
    Launch("glue.amazonaws.com", ("glue:updatejob", "glue:startjobrun")),
    Launch("glue.amazonaws.com", ("glue:updatejob", "glue:createtrigger")),
    Launch("glue.amazonaws.com", ("glue:createdevendpoint",)),
    Launch("ecs-tasks.amazonaws.com", ("ecs:registertaskdefinition", "ecs:runtask")),
    Launch("ecs-tasks.amazonaws.com", ("ecs:registertaskdefinition", "ecs:starttask")),
    Launch("ecs-tasks.amazonaws.com", ("ecs:registertaskdefinition", "ecs:createservice")),
    Launch("ecs-tasks.amazonaws.com", ("batch:registerjobdefinition", "batch:submitjob")),
    Launch("cloudformation.amazonaws.com", ("cloudformation:createstack",)),
    Launch("cloudformation.amazonaws.com", ("cloudformation:createstackset", "cloudformation:createstackinstances")),
    Launch("cloudformation.amazonaws.com", ("cloudformation:updatestackset",)),
    Launch("cloudformation.amazonaws.com", ("cloudformation:createchangeset", "cloudformation:executechangeset")),
    Launch("codebuild.amazonaws.com", ("codebuild:createproject", "codebuild:startbuild")),
    Launch("codebuild.amazonaws.com", ("codebuild:createproject", "codebuild:startbuildbatch")),
    Launch(
        "datapipeline.amazonaws.com", ("datapipeline:createpipeline", "datapipeline:putpipelinedefinition", "datapipeline:activatepipeline")
    ),
    Launch("tasks.apprunner.amazonaws.com", ("apprunner:createservice",)),
    Launch(
        "bedrock-agentcore.amazonaws.com",
        (
            "bedrock-agentcore:createcodeinterpreter",
            "bedrock-agentcore:startcodeinterpretersession",
            "bedrock-agentcore:invokecodeinterpreter",
        ),
    ),
    Launch("states.amazonaws.com", ("states:createstatemachine", "states:startexecution")),
    Launch("ssm.amazonaws.com", ("ssm:startautomationexecution",)),
    Launch("scheduler.amazonaws.com", ("scheduler:createschedule",)),
)
ASSOCIATE: tuple[Launch, ...] = (
    Launch("pods.eks.amazonaws.com", ("eks:createpodidentityassociation",), "associates pod identity of"),
    Launch("pods.eks.amazonaws.com", ("eks:updatepodidentityassociation",), "associates pod identity of"),
)
PASS_ROLE = "iam:passrole"
