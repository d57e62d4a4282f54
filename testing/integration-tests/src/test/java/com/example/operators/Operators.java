/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.example.operators.Kafka.AutoRebalance;
import com.example.operators.Kafka.JvmOptions;
import com.example.operators.Kafka.RebalanceState;
import com.example.operators.ScaledObject.Health;
import com.example.operators.ScaledObject.HealthState;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.models.V1Condition;

/**
 * Table of the operators.
 */
final class Operators {

	private static final OffsetDateTime TIME = OffsetDateTime.parse("2030-01-02T03:04:05Z");

	private static final String READY = """
			{"type":"Ready","status":"True","reason":"Applied","message":"","lastTransitionTime":"2030-01-02T03:04:05Z"}""";

	private static final String SEEN = """
			{"metadata":{"annotations":{"seen":"true"}}}""";

	private Operators() {
	}

	static Stream<Operator<?>> all() {
		return Stream.of(certificate(), rollout(), workflow(), managedCluster(), knativeService(), kafka(),
				postgresCluster(), virtualService(), grpcRoute(), policyException(), scaledObject(), pipeline(),
				kustomization(), composition(), prometheusRule(), postgresql(), clusterQueue(), networkPolicy(),
				peerAuthentication(), telemetry(), compositeDefinition(), workloadPriorityClass());
	}

	private static V1Condition ready() {
		return new V1Condition().type("Ready").status("True").reason("Applied").message("").lastTransitionTime(TIME);
	}

	private static void annotate(KubernetesObject object) {
		object.getMetadata().putAnnotationsItem("seen", "true");
	}

	private static Operator<?> certificate() {
		return Operator.of(Certificate.class, "cert-manager", """
				{"spec":{"usages":["digital signature","server auth"]}}""",
				(object) -> object.getSpec()
					.setUsages(EnumSet.of(Certificate.Usage.SERVER_AUTH, Certificate.Usage.DIGITAL_SIGNATURE)),
				"{'status':{'conditions':[%s],'notAfter':'2030-01-02T03:04:05Z','revision':2}}".formatted(READY),
				(object) -> {
					object.getStatus().getConditions().clear();
					object.getStatus().getConditions().add(ready());
					object.getStatus().setNotAfter(TIME);
					object.getStatus().setRevision(2);
				})
			.adding("status");
	}

	private static Operator<?> rollout() {
		return Operator.of(Rollout.class, "argo-rollouts", """
				{"spec":{"strategy":{"canary":{"maxSurge":"25%"}}}}""",
				(object) -> object.spec.strategy.canary.maxSurge = new IntOrString("25%"), """
						{"status":{"HPAReplicas":3,"controllerPause":true,"conditions":[{"type":"Healthy",
						"status":"True","reason":"","message":"","lastTransitionTime":"2030-01-02T03:04:05Z",
						"lastUpdateTime":"2030-01-02T03:04:05Z"}]}}""", (object) -> {
					Rollout.Condition condition = new Rollout.Condition();
					condition.type = "Healthy";
					condition.status = "True";
					condition.lastTransitionTime = TIME;
					condition.lastUpdateTime = TIME;
					object.status = new Rollout.Status();
					object.status.hpaReplicas = 3;
					object.status.controllerPause = true;
					object.status.conditions = List.of(condition);
				})
			.adding("spec.revisionHistoryLimit");
	}

	private static Operator<?> workflow() {
		return Operator.of(Workflow.class, "argo-workflows", """
				{"spec":{"parallelism":3}}""", (object) -> object.spec.parallelism = 3L, """
				{"status":{"nodes":{"a":"Running","b":"Pending"}}}""",
				(object) -> object.status.put("nodes", new TreeMap<>(Map.of("b", "Pending", "a", "Running"))));
	}

	private static Operator<?> managedCluster() {
		return Operator.of(ManagedCluster.class, "cluster-api", """
				{"spec":{"paused":true}}""", ManagedCluster::pause, """
				{"status":{"conditions":[%s],"phase":"Provisioned","observedGeneration":3,
				"initialization":{"infrastructureProvisioned":true}}}""".formatted(READY),
				(object) -> object.status(new ManagedCluster.Status(List.of(ready()), ManagedCluster.Phase.PROVISIONED,
						3, new ManagedCluster.Initialization(null, true))));
	}

	private static Operator<?> knativeService() {
		return Operator.of(KnativeService.class, "knative-serving", """
				{"spec":{"template":{"spec":{"containerConcurrency":7}}}}""",
				(object) -> object.getSpec().template().spec().containerConcurrency(7), """
						{"status":{"conditions":[{"type":"Ready","status":"True",
						"lastTransitionTime":"2030-01-02T03:04:05Z"}],"url":"http://a.example.com/?a=b%26c",
						"address":{"CACerts":"x"},"observedGeneration":0}}""", (object) -> {
					KnativeService.Status status = new KnativeService.Status();
					status.conditions().add(new KnativeService.Condition("Ready", "True", TIME));
					status.address(URI.create("http://a.example.com/?a=b%26c"), "x");
					object.setStatus(status);
				});
	}

	private static Operator<?> kafka() {
		return Operator.of(Kafka.class, "strimzi", """
				{"spec":{"kafka":{"config":{"min.insync.replicas":7},
				"jvmOptions":{"-XX":{"UseG1GC":"true"},"-Xms":"1g","gcLoggingEnabled":false}}}}""", (object) -> {
			object.getSpec().getKafka().getConfig().put("min.insync.replicas", 7);
			object.getSpec().getKafka().setJvmOptions(new JvmOptions(Map.of("UseG1GC", "true"), "1g"));
		}, """
				{"status":{"conditions":[{"type":"Ready","status":"True"}],"autoRebalance":{"state":"Idle"}}}""",
				(object) -> {
					Kafka.Status status = new Kafka.Status();
					status.setConditions(List.of(new TreeMap<>(Map.of("type", "Ready", "status", "True"))));
					status.setAutoRebalance(new AutoRebalance(RebalanceState.IDLE));
					object.setStatus(status);
				});
	}

	private static Operator<?> postgresCluster() {
		return Operator.of(PostgresCluster.class, "cloudnative-pg", """
				{"spec":{"instances":5}}""", (object) -> object.spec = object.spec.withInstances(5), """
				{"status":{"readyInstances":2,"instancesStatus":{"healthy":["a","b"]},
				"lastSuccessfulBackupByMethod":{"volumeSnapshot":"2030-01-02T03:04:05Z"}}}""",
				(object) -> object.status = new PostgresCluster.Status(2, Map.of("healthy", List.of("a", "b")),
						Map.of("volumeSnapshot", TIME)));
	}

	private static Operator<?> virtualService() {
		return Operator.of(VirtualService.class, "istio", """
				{"spec":{"gateways":["mesh","outer"]}}""", (object) -> object.gateways("mesh", "outer"), """
				{"status":{"messages":[1,0.5,12345678901,1e-7,true,{"a":{}},[[]]]}}""",
				(object) -> object.status(Map.of("messages",
						Arrays.asList(1, 0.5, 12345678901L, 1e-7, true, Map.of("a", Map.of()), List.of(List.of())))));
	}

	private static Operator<?> grpcRoute() {
		return Operator.of(GrpcRoute.class, "gateway-api", """
				{"spec":{"hostnames":["b.example.com","a.example.com"]}}""",
				(object) -> object.getSpec().hostnames = new LinkedHashSet<>(List.of("b.example.com", "a.example.com")),
				"""
						{"status":{"parents":[{"controllerName":"example.com/routes","parentRef":{"group":"g",
						"kind":"Gateway","name":"gw"},"conditions":[%s]}]}}""".formatted(READY), (object) -> {
					GrpcRoute.ParentStatus parent = new GrpcRoute.ParentStatus();
					parent.controllerName = "example.com/routes";
					parent.parentRef = new GrpcRoute.Ref("gw");
					parent.parentRef.group = "g";
					parent.parentRef.kind = "Gateway";
					parent.conditions.add(ready());
					object.setStatus(new GrpcRoute.RouteStatus());
					object.getStatus().parents.add(parent);
				});
	}

	private static Operator<?> policyException() {
		return Operator.of(PolicyException.class, "kyverno", """
				{"spec":{"background":true}}""", (object) -> object.spec.put("background", true), """
				{"spec":{"conditions":{"any":null,"all":[{"key":{"k":[1,2.5,12345678901,true,"x"]},
				"operator":"Equals","value":[]}]}}}""",
				(object) -> object.spec.put("conditions",
						Map.of("all", List.of(Map.of("key", Map.of("k", List.of(1, 2.5, 12345678901L, true, "x")),
								"operator", "Equals", "value", Set.of())))));
	}

	private static Operator<?> scaledObject() {
		return Operator.of(ScaledObject.class, "keda", """
				{"spec":{"maxReplicaCount":9}}""", (object) -> object.getSpec().maximum(9), """
				{"status":{"health":{"s0":{"numberOfFailures":1,"status":"Happy"}},"externalMetricNames":["m"],
				"scaleTargetGVKR":{"group":"apps","kind":"Deployment","resource":"deployments","version":"v1"},
				"hpaName":"hpa"}}""",
				(object) -> object.setStatus(new ScaledObject.Status(Map.of("s0", new Health(1, HealthState.HAPPY)),
						List.of(new ScaledObject.Name("m")),
						Map.of("group", "apps", "kind", "Deployment", "resource", "deployments", "version", "v1"),
						"hpa")));
	}

	private static Operator<?> pipeline() {
		return Operator.of(Pipeline.class, "tekton-pipeline", """
				{"spec":{"finally":[{"name":"last","pipelineSpec":{"description":"nested"}}],
				"results":[{"name":"text","value":"x"},{"name":"list","value":["x","y"]}]}}""", (object) -> {
			Pipeline.Spec nested = new Pipeline.Spec();
			nested.description("nested");
			Pipeline.Task task = new Pipeline.Task();
			task.name("last");
			task.pipelineSpec(nested);
			object.getSpec().last(List.of(task));
			object.getSpec()
				.results(List.of(new Pipeline.Result("text", "x"), new Pipeline.Result("list", List.of("x", "y"))));
		}, SEEN, Operators::annotate);
	}

	private static Operator<?> kustomization() {
		return Operator.of(Kustomization.class, "flux-kustomize-controller", """
				{"spec":{"timeout":"7m"}}""", (object) -> object.spec().timeout(Duration.ofMinutes(7)), """
				{"status":{"observedGeneration":3,"conditions":[%s],
				"inventory":{"entries":[{"id":"a","v":"v1"}]}}}""".formatted(READY), (object) -> {
			object.status().observedGeneration(3L);
			object.status().conditions(List.of(ready()));
			object.status().inventory(List.of(new Kustomization.Entry("a", "v1")));
		});
	}

	private static Operator<?> composition() {
		return Operator.of(Composition.class, "crossplane", """
				{"spec":{"pipeline":[{"step":"one","functionRef":{"name":"f"},"input":{"apiVersion":"v1","kind":"K",
				"list":[1,0.5,{"a":"b"}]}}]}}""",
				(object) -> object.spec = new Composition.Spec(object.spec.compositeTypeRef(), object.spec.mode(),
						List.of(new Composition.Step("one", Map.of("name", "f"), new HashMap<>(
								Map.of("apiVersion", "v1", "kind", "K", "list", List.of(1, 0.5, Map.of("a", "b"))))))),
				SEEN, Operators::annotate);
	}

	private static Operator<?> prometheusRule() {
		return Operator.of(PrometheusRule.class, "prometheus-operator", """
				{"spec":{"groups":[{"name":"g","partial_response_strategy":"abort","rules":[
				{"record":"a","expr":1,"for":"5m"}]}]}}""", (object) -> {
			PrometheusRule.Rule rule = new PrometheusRule.Rule();
			rule.record = "a";
			rule.expr = new IntOrString(1);
			rule.duration = "5m";
			PrometheusRule.Group group = new PrometheusRule.Group();
			group.name = "g";
			group.strategy = "abort";
			group.rules = Set.of(rule);
			object.getSpec().groups.clear();
			object.getSpec().groups.add(group);
		}, """
				{"status":{"bindings":[{"group":"monitoring.coreos.com","resource":"prometheuses","namespace":"a",
				"name":"b","conditions":[{"type":"Accepted","status":"True","message":"",
				"lastTransitionTime":"2030-01-02T03:04:05Z"}]}]}}""", (object) -> {
			object.setStatus(new PrometheusRule.Status());
			object.getStatus().bindings = List.of(new PrometheusRule.Binding("monitoring.coreos.com", "prometheuses",
					"a", "b", List.of(new PrometheusRule.Accepted("Accepted", "True", "", TIME))));
		});
	}

	private static Operator<?> postgresql() {
		return Operator.of(Postgresql.class, "zalando-postgres", """
				{"spec":{"numberOfInstances":3,"users":{"reader":["login","createdb"]}}}""", (object) -> {
			object.spec.numberOfInstances = 3;
			object.spec.users = (object.spec.users != null) ? object.spec.users : new HashMap<>();
			object.spec.users.put("reader", List.of(Postgresql.Flag.login, Postgresql.Flag.createdb));
		}, """
				{"status":{"PostgresClusterStatus":"Running"}}""", (object) -> {
			object.status = new Postgresql.Status();
			object.status.phase = "Running";
		});
	}

	private static Operator<?> clusterQueue() {
		return Operator.of(ClusterQueue.class, "kueue", """
				{"spec":{"stopPolicy":"Hold","flavorFungibility":{"whenCanBorrow":"TryNextFlavor"}}}""", (object) -> {
			object.getSpec().stopPolicy = ClusterQueue.StopPolicy.HOLD;
			object.getSpec().flavorFungibility.put(ClusterQueue.Condition.whenCanBorrow,
					ClusterQueue.Step.TryNextFlavor);
		}, """
				{"status":{"conditions":[%s],"pendingWorkloads":4,
				"fairSharing":{"weightedShare":9007199254740993}}}""".formatted(READY), (object) -> {
			ClusterQueue.Status status = new ClusterQueue.Status();
			status.conditions = Arrays.asList(ready());
			status.pendingWorkloads = 4;
			status.fairSharing = new ClusterQueue.FairSharing();
			status.fairSharing.weightedShare = 9007199254740993L;
			object.setStatus(status);
		}).withoutCoverOf("spec.concurrentAdmissionPolicy");
	}

	private static Operator<?> networkPolicy() {
		return Operator.of(NetworkPolicy.class, "calico", """
				{"spec":{"order":99.5,"types":["Ingress","Egress"]}}""", (object) -> {
			object.spec.order = new BigDecimal("99.5");
			object.spec.types.add(NetworkPolicy.Type.Egress);
		}, SEEN, Operators::annotate);
	}

	private static Operator<?> peerAuthentication() {
		return Operator.of(PeerAuthentication.class, "istio", """
				{"spec":{"portLevelMtls":{"9090":{"mode":"STRICT"}}}}""",
				(object) -> object.getSpec().portLevelMtls.putAll(PeerAuthentication.strict(9090)), """
						{"status":{"observedGeneration":"1","conditions":[%s]}}""".formatted(READY),
				(object) -> object.setStatus(Map.of("observedGeneration", "1", "conditions", List.of(ready()))));
	}

	private static Operator<?> telemetry() {
		return Operator.of(Telemetry.class, "istio", """
				{"spec":{"tracing":[{"randomSamplingPercentage":0.1,"customTags":{"a":{"literal":{"value":"x"}}}}]}}""",
				(object) -> {
					Telemetry.Tracing tracing = new Telemetry.Tracing();
					tracing.randomSamplingPercentage = 0.1;
					tracing.customTags = Map.of("a", new Telemetry.Literal(Map.of("value", "x")));
					object.getSpec().tracing = new Telemetry.Tracing[] { tracing };
				}, """
						{"status":{"observedGeneration":"1","validationMessages":[{"level":3}]}}""", (object) -> object
					.setStatus(Map.of("observedGeneration", "1", "validationMessages", List.of(Map.of("level", 3)))));
	}

	private static Operator<?> compositeDefinition() {
		return Operator.of(CompositeDefinition.class, "crossplane", """
				{"spec":{"defaultCompositionUpdatePolicy":"Manual"}}""",
				(object) -> object.getSpec().defaultCompositionUpdatePolicy = "Manual",
				"{'status':{'conditions':[%s]}}".formatted(READY), (object) -> {
					object.setStatus(new CompositeDefinition.Status());
					object.getStatus().conditions = List.of(ready());
				});
	}

	private static Operator<?> workloadPriorityClass() {
		return Operator.of(WorkloadPriorityClass.class, "kueue", """
				{"value":7,"description":null}""", (object) -> {
			object.value = 7;
			object.description = null;
		}, SEEN, Operators::annotate);
	}

}
