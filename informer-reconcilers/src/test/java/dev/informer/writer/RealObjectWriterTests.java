/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.informer.InformerFactory;
import dev.informer.ObjectCopy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Cancellation;
import dev.informer.client.CustomResource;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.PlainObject;
import dev.informer.writer.ObjectWrite.Outcome;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.SchedulingV1Api;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentList;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1PriorityClass;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.PatchOptions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ObjectWriter} on a real API server.
 */
@RealKubernetes
@Timeout(240)
class RealObjectWriterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int OBJECTS = Integer.getInteger("writer.objects", 1_000);

	/**
	 * The server permits names of RBAC objects that have to be encoded in paths and
	 * selectors.
	 */
	@Test
	void namesOfRbacObjects_areWrittenAndFound(RealServer server) throws Exception {
		try (InformerFactory factory = InformerFactory.create(client(server, "names"))) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer");
			V1ClusterRole owner = writer.create(role("names:owner"));
			for (String name : List.of("a b", "a?b", "a#b", "a\\b", "a\"b", "a=b", "a,b", "a:b", "a;b", "a+b", "\u00e4",
					"..a")) {
				writer.apply(role("names " + name), owner);
				V1ClusterRole desired = role("names " + name);
				desired.getMetadata().putLabelsItem("applied", "twice");
				V1ClusterRole applied = writer.apply(desired, owner);
				assertThat(applied.getMetadata().getName()).isEqualTo("names " + name);
				writer.patch(applied, (role) -> role.getMetadata().putLabelsItem("patched", "true"));
				assertThat(writer.delete(applied)).as(name).isTrue();
				assertThat(writer.delete(applied)).as(name).isFalse();
			}
			writer.delete(owner);
		}
	}

	private static V1ClusterRole role(String name) {
		return new V1ClusterRole().metadata(new V1ObjectMeta().name(name));
	}

	/**
	 * Another manager sets the arguments of a container. An apply of the container
	 * without arguments leaves them, but the official client sends an empty list, and so
	 * removes them and owns the field.
	 */
	@Test
	void apply_leavesArgumentsOfOthers(RealServer server) throws Exception {
		ApiClient client = client(server, "arguments");
		AppsV1Api apps = new AppsV1Api(client);
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer");
			writer.apply(deployment("arguments", "ours"));
			writer.apply(deployment("arguments", "theirs"));
			for (String name : List.of("ours", "theirs")) {
				ObjectWriter other = writer.withFieldManager("other");
				V1Deployment withArguments = deployment("arguments", name);
				withArguments.getSpec().getTemplate().getSpec().getContainers().get(0).addArgsItem("--verbose");
				other.apply(withArguments);
			}
			V1Deployment changed = deployment("arguments", "ours");
			changed.getSpec().setReplicas(2);
			writer.apply(changed);
			V1Deployment ours = apps.readNamespacedDeployment("ours", "arguments").execute();
			assertThat(arguments(ours)).containsExactly("--verbose");
			assertThat(ownedFields(factory, "ours", "writer")).contains("f:replicas", "f:image")
				.doesNotContain("f:args");

			V1Deployment desired = deployment("arguments", "theirs").apiVersion("apps/v1").kind("Deployment");
			desired.getSpec().setReplicas(2);
			new GenericKubernetesApi<>(V1Deployment.class, V1DeploymentList.class, "apps", "v1", "deployments", client)
				.patch("arguments", "theirs", V1Patch.PATCH_FORMAT_APPLY_YAML,
						new V1Patch(JSON.getGson().toJson(desired)), officialOptions())
				.throwsApiException();
			V1Deployment theirs = apps.readNamespacedDeployment("theirs", "arguments").execute();
			assertThat(arguments(theirs)).isNullOrEmpty();
			assertThat(ownedFields(factory, "theirs", "official")).contains("f:args", "f:command", "f:envFrom",
					"f:tolerations", "f:nodeSelector", "f:annotations");
		}
	}

	private static PatchOptions officialOptions() {
		PatchOptions options = new PatchOptions();
		options.setFieldManager("official");
		options.setForce(true);
		return options;
	}

	private static List<String> arguments(V1Deployment deployment) {
		return deployment.getSpec().getTemplate().getSpec().getContainers().get(0).getArgs();
	}

	/**
	 * Return the names of the fields that a manager owns. The models of the official
	 * client have none.
	 */
	private static Set<String> ownedFields(InformerFactory factory, String deployment, String manager)
			throws IOException {
		JsonObject object = factory.connection()
			.send("GET", "/apis/apps/v1/namespaces/arguments/deployments/" + deployment, null, LONG,
					new Cancellation());
		Set<String> fields = new TreeSet<>();
		for (JsonElement entry : object.getAsJsonObject("metadata").getAsJsonArray("managedFields")) {
			if (entry.getAsJsonObject().get("manager").getAsString().equals(manager)) {
				collect(entry.getAsJsonObject().get("fieldsV1"), fields);
			}
		}
		return fields;
	}

	private static void collect(JsonElement value, Set<String> fields) {
		if (value instanceof JsonObject object) {
			object.asMap().forEach((name, nested) -> {
				fields.add(name);
				collect(nested, fields);
			});
		}
	}

	@Test
	void conflict_isReported(RealServer server) throws Exception {
		ApiClient client = client(server, "conflicts");
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer");
			writer.apply(configMap("conflicts", "a", "1"));
			ObjectWriter careful = writer.withFieldManager("careful").withConflicts();
			assertThatExceptionOfType(ObjectWriteException.class)
				.isThrownBy(() -> careful.apply(configMap("conflicts", "a", "2")))
				.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(409))
				.withMessageContaining(".data.key");
			careful.apply(configMap("conflicts", "a", "1"));
			writer.withFieldManager("other").apply(configMap("conflicts", "a", "2"));
			assertThat(new CoreV1Api(client).readNamespacedConfigMap("a", "conflicts").execute().getData())
				.isEqualTo(Map.of("key", "2"));
		}
	}

	/**
	 * Applies that change nothing send nothing. A change of another writer is reverted by
	 * one apply, and after a restart one apply of each object changes nothing.
	 */
	@Test
	void unchangedApplies_areNotSent(RealServer server) throws Exception {
		ApiClient client = client(server, "unchanged");
		List<Outcome> outcomes = new ArrayList<>();
		String version;
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer", (write) -> outcomes.add(write.proceed()));
			SharedIndexInformer<V1ConfigMap> informer = informer(factory);
			V1ConfigMap last = applyAll(writer);
			assertThat(informer.awaitAtLeast(last, LONG)).isTrue();
			outcomes.clear();
			applyAll(writer);
			assertThat(outcomes).hasSize(OBJECTS).containsOnly(Outcome.UNCHANGED);

			V1ConfigMap foreign = new CoreV1Api(client).readNamespacedConfigMap("a0", "unchanged").execute();
			foreign.getData().put("key", "foreign");
			V1ConfigMap written = new CoreV1Api(client).replaceNamespacedConfigMap("a0", "unchanged", foreign)
				.execute();
			assertThat(informer.awaitAtLeast(written, LONG)).isTrue();
			outcomes.clear();
			applyAll(writer);
			assertThat(outcomes).hasSize(OBJECTS).containsOnlyOnce(Outcome.SUCCESS);
			V1ConfigMap reverted = new CoreV1Api(client).readNamespacedConfigMap("a0", "unchanged").execute();
			assertThat(reverted.getData()).isEqualTo(Map.of("key", "0"));
			assertThat(informer.awaitAtLeast(reverted, LONG)).isTrue();
			version = informer.lister().get("unchanged", "a1").orElseThrow().getMetadata().getResourceVersion();
		}
		outcomes.clear();
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer", (write) -> outcomes.add(write.proceed()));
			SharedIndexInformer<V1ConfigMap> informer = informer(factory);
			applyAll(writer);
			assertThat(outcomes).hasSize(OBJECTS).containsOnly(Outcome.SUCCESS);
			applyAll(writer);
			assertThat(outcomes.subList(OBJECTS, 2 * OBJECTS)).containsOnly(Outcome.UNCHANGED);
			assertThat(informer.lister().get("unchanged", "a1").orElseThrow().getMetadata().getResourceVersion())
				.isEqualTo(version);
		}
	}

	/**
	 * The server notes no time for an apply that changes nothing.
	 */
	@Test
	void managersThatForceOneField_areContested(RealServer server) throws Exception {
		ApiClient client = client(server, "contested");
		List<Outcome> outcomes = new ArrayList<>();
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter ours = ObjectWriter.of(factory, "ours", (write) -> outcomes.add(write.proceed()));
			ObjectWriter theirs = ObjectWriter.of(factory, "theirs");
			V1ConfigMap desired = configMap("contested", "a", "1");
			awaitExternal().pollInterval(Duration.ofSeconds(1)).until(() -> {
				V1ConfigMap labelled = configMap("contested", "a", "1").data(null);
				labelled.getMetadata().setLabels(Map.of("round", String.valueOf(outcomes.size())));
				theirs.apply(labelled);
				ours.apply(desired);
				return outcomes.size() == 4;
			});
			assertThat(outcomes).containsOnly(Outcome.SUCCESS);
			awaitExternal().pollInterval(Duration.ofSeconds(1)).until(() -> {
				theirs.apply(configMap("contested", "a", "2"));
				ours.apply(desired);
				return outcomes.size() == 8;
			});
			assertThat(outcomes.subList(5, 8)).containsOnly(Outcome.CONTESTED);
		}
	}

	/**
	 * The generation of a PriorityClass is 1 for ever.
	 */
	@Test
	void changeOfOthersWithoutNewGeneration_isCorrected(RealServer server) throws Exception {
		ApiClient client = client(server, "generations");
		SchedulingV1Api scheduling = new SchedulingV1Api(client);
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer");
			SharedIndexInformer<V1PriorityClass> informer = factory.informer(V1PriorityClass.class);
			informer.start();
			assertThat(informer.awaitSynced(LONG)).isTrue();
			assertThat(informer.awaitAtLeast(writer.apply(priorityClass()), LONG)).isTrue();
			V1PriorityClass foreign = scheduling.readPriorityClass("generations").execute().description("foreign");
			assertThat(informer.awaitAtLeast(scheduling.replacePriorityClass("generations", foreign).execute(), LONG))
				.isTrue();
			assertThat(writer.apply(priorityClass()).getDescription()).isEqualTo("ours");
			scheduling.deletePriorityClass("generations").execute();
		}
	}

	private static V1PriorityClass priorityClass() {
		return new V1PriorityClass().metadata(new V1ObjectMeta().name("generations")).value(7).description("ours");
	}

	@Test
	void refusals_areToldApart(RealServer server) throws Exception {
		ApiClient client = client(server, "refusals");
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer");
			V1ConfigMap created = writer.create(configMap("refusals", "a", "1"));
			assertThat(writer.delete(created)).isTrue();
			assertThat(writer.delete(created)).isFalse();
			writer.create(configMap("refusals", "a", "2"));
			assertThat(writer.delete(created)).isFalse();
			assertThatExceptionOfType(ObjectWriteException.class)
				.isThrownBy(() -> writer.patch(created, (copy) -> copy.putDataItem("x", "y")))
				.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(422))
				.withMessageEndingWith("422 Invalid: metadata.uid (FieldValueInvalid)");
			assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> writer.deleteUnchanged(created))
				.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(409));
			writer.create(new DynamicKubernetesObject(
					JsonParser.parseString(Tenant.DEFINITION.replace("\"subresources\": {\"status\": {}},", ""))
						.getAsJsonObject()));
			Tenant tenant = awaitCreated(writer, Tenant.of("refusals", "a"));
			tenant.status().ready = 1;
			assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> writer.updateStatus(tenant))
				.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(404))
				.withMessageEndingWith("declare the status subresource in the CustomResourceDefinition of "
						+ "tenants.example.com/v1.");
			V1Job job = writer.create(job("hunter2"));
			V1Job copy = ObjectCopy.of(job);
			copy.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().get(0).setValue("hunter3");
			assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> writer.update(copy))
				.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(422))
				.withMessageEndingWith("422 Invalid: spec.template (FieldValueInvalid)")
				.satisfies((ex) -> assertThat(stackTrace(ex)).doesNotContain("hunter"));
		}
	}

	@Test
	void valueThatTheServerDoesNotStore_isNamed(RealServer server) throws Exception {
		ApiClient client = client(server, "stored");
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer");
			writer.create(untyped("""
					{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
					 "metadata": {"name": "widgets.stored.example.com"},
					 "spec": {"group": "stored.example.com", "scope": "Namespaced",
					  "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
					  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
					   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
					    "spec": {"type": "object", "properties": {"size": {"type": "integer"}}},
					    "status": {"type": "object", "properties": {"ready": {"type": "integer"}}}}}}}]}}"""));
			DynamicKubernetesObject widget = awaitCreated(writer, untyped("""
					{"apiVersion": "stored.example.com/v1", "kind": "Widget",
					 "metadata": {"namespace": "stored", "name": "a"}, "spec": {"size": 1}}"""));
			JsonObject ready = JsonParser.parseString("{\"ready\": 1}").getAsJsonObject();
			assertThatIllegalArgumentException()
				.isThrownBy(() -> writer.patch(widget, (copy) -> copy.getRaw().add("status", ready)))
				.withMessageEndingWith("its status was changed, which the API server would ignore. Use updateStatus.");
			DynamicKubernetesObject changed = ObjectCopy.of(widget);
			changed.getRaw().add("status", ready);
			assertNotStored(() -> writer.update(changed), "status.ready", "Use updateStatus.");
			assertNotStored(
					() -> writer.patch(widget,
							(copy) -> copy.getRaw().getAsJsonObject("spec").addProperty("color", "red")),
					"spec.color",
					"Declare the property in the CustomResourceDefinition of widgets.stored.example.com/v1");
			DynamicKubernetesObject patched = writer.patch(widget,
					(copy) -> copy.getRaw().getAsJsonObject("spec").addProperty("size", 2));
			patched.getRaw().add("status", ready);
			DynamicKubernetesObject updated = writer.updateStatus(patched);
			assertThat(updated.getRaw().getAsJsonObject("status")).isEqualTo(ready);
			updated.getRaw().getAsJsonObject("status").addProperty("color", "red");
			assertNotStored(() -> writer.updateStatus(updated), "status.color", "Declare the property");
		}
	}

	@Test
	void whatAnotherWriteStores_isNotLostSilently(RealServer server) throws Exception {
		ApiClient client = client(server, "lost");
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer");
			V1Deployment created = writer.create(deployment("lost", "a"));
			V1Deployment scaled = ObjectCopy.of(created);
			scaled.getSpec().setReplicas(3);
			scaled.setStatus(new V1DeploymentStatus().observedGeneration(1L));
			assertNotStored(() -> writer.updateStatus(scaled), "spec.replicas", "Use update or patch for it.");
			V1Deployment labelled = new AppsV1Api(client).readNamespacedDeployment("a", "lost").execute();
			labelled.getMetadata().putLabelsItem("a", "b");
			assertNotStored(() -> writer.updateStatus(labelled), "metadata.labels.a", "Use update or patch for it.");
			V1Deployment annotated = new AppsV1Api(client).readNamespacedDeployment("a", "lost").execute();
			annotated.getMetadata().putAnnotationsItem("a", "b");
			annotated.getStatus().setObservedGeneration(2L);
			assertThat(writer.updateStatus(annotated).getMetadata().getAnnotations()).containsEntry("a", "b");

			V1Deployment desired = deployment("lost", "b").status(new V1DeploymentStatus().replicas(1));
			assertThatIllegalArgumentException().isThrownBy(() -> writer.create(desired))
				.withMessageContaining("it has a status");
			V1Node node = new V1Node().metadata(new V1ObjectMeta().name("lost"))
				.status(new V1NodeStatus().putCapacityItem("cpu", new Quantity("4")));
			assertThat(writer.create(node).getStatus().getCapacity()).containsEntry("cpu", new Quantity("4"));
			node.getMetadata().setName("applied");
			assertThat(writer.apply(node).getStatus().getCapacity()).containsEntry("cpu", new Quantity("4"));
			node.getStatus().putCapacityItem("cpu", new Quantity("8"));
			assertNotStored(() -> writer.apply(node), "status.capacity.cpu", "Set the status to null");
		}
	}

	@Test
	void classWithTheOtherScope_isNamed(RealServer server) throws Exception {
		ApiClient client = client(server, "scopes");
		try (InformerFactory factory = InformerFactory.create(client)) {
			ObjectWriter writer = ObjectWriter.of(factory, "writer");
			writer.create(definition("Namespaced", "spaces"));
			writer.create(definition("Cluster", "worlds"));
			awaitCreated(writer, untyped("""
					{"apiVersion": "scopes.example.com/v1", "kind": "Spaces",
					 "metadata": {"namespace": "scopes", "name": "a"}}"""));
			awaitCreated(writer, untyped("""
					{"apiVersion": "scopes.example.com/v1", "kind": "Worlds", "metadata": {"name": "a"}}"""));
			Spaces space = new Spaces();
			space.getMetadata().name("a").resourceVersion("1").uid("u");
			Worlds world = new Worlds();
			world.getMetadata().namespace("scopes").name("a").resourceVersion("1").uid("u");
			for (PlainObject object : List.of(space, world)) {
				String remedy = "Set namespaced = " + (object == space) + " in the annotation";
				for (ThrowingCallable write : List.<ThrowingCallable>of(() -> writer.create(object),
						() -> writer.apply(object), () -> writer.update(object), () -> writer.updateStatus(object),
						() -> writer.patch(object, (copy) -> copy.getMetadata().putLabelsItem("a", "b")),
						() -> writer.delete(object))) {
					assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(write)
						.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(404))
						.withMessageContaining(remedy);
				}
			}
		}
	}

	private static DynamicKubernetesObject definition(String scope, String plural) {
		String kind = plural.substring(0, 1).toUpperCase(Locale.ROOT) + plural.substring(1);
		return untyped("""
				{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
				 "metadata": {"name": "%2$s.scopes.example.com"},
				 "spec": {"group": "scopes.example.com", "scope": "%1$s",
				  "names": {"plural": "%2$s", "kind": "%3$s"},
				  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
				   "schema": {"openAPIV3Schema": {"type": "object"}}}]}}""".formatted(scope, plural, kind));
	}

	private static void assertNotStored(ThrowingCallable write, String property, String remedy) {
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(write)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("NotStored"))
			.withMessageContaining("but has not stored the value of " + property + ". " + remedy);
	}

	private static DynamicKubernetesObject untyped(String json) {
		return new DynamicKubernetesObject(JsonParser.parseString(json).getAsJsonObject());
	}

	private static String stackTrace(Throwable failure) {
		StringWriter text = new StringWriter();
		failure.printStackTrace(new PrintWriter(text));
		return text.toString();
	}

	private static <T extends KubernetesObject> T awaitCreated(ObjectWriter writer, T object) {
		AtomicReference<T> created = new AtomicReference<>();
		awaitExternal().ignoreExceptions().until(() -> {
			created.set(writer.create(object));
			return true;
		});
		return Objects.requireNonNull(created.get());
	}

	private static V1Job job(String secret) {
		return new V1Job().metadata(new V1ObjectMeta().namespace("refusals").name("a"))
			.spec(new V1JobSpec().template(new V1PodTemplateSpec().spec(new V1PodSpec().restartPolicy("Never")
				.addContainersItem(new V1Container().name("c")
					.image("i")
					.addEnvItem(new V1EnvVar().name("PASSWORD").value(secret))))));
	}

	private static V1ConfigMap applyAll(ObjectWriter writer) throws ApiException {
		V1ConfigMap last = writer.apply(configMap("unchanged", "a0", "0"));
		for (int i = 1; i < OBJECTS; i++) {
			last = writer.apply(configMap("unchanged", "a" + i, Integer.toString(i)));
		}
		return last;
	}

	private static SharedIndexInformer<V1ConfigMap> informer(InformerFactory factory) throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = factory.informer(V1ConfigMap.class,
				(options) -> options.namespaces("unchanged"));
		informer.start();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		return informer;
	}

	private static ApiClient client(RealServer server, String namespace) throws Exception {
		ApiClient client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig())))
			.build();
		new CoreV1Api(client).createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(namespace))).execute();
		return client;
	}

	private static V1ConfigMap configMap(String namespace, String name, String value) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace(namespace).name(name)).putDataItem("key", value);
	}

	private static V1Deployment deployment(String namespace, String name) {
		Map<String, String> labels = Map.of("app", name);
		return new V1Deployment().metadata(new V1ObjectMeta().namespace(namespace).name(name))
			.spec(new V1DeploymentSpec().selector(new V1LabelSelector().matchLabels(labels))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels))
					.spec(new V1PodSpec().addContainersItem(new V1Container().name("web").image("web:1")))));
	}

	@CustomResource(group = "scopes.example.com", version = "v1", plural = "spaces", namespaced = false)
	private static final class Spaces extends PlainObject {

	}

	@CustomResource(group = "scopes.example.com", version = "v1", plural = "worlds")
	private static final class Worlds extends PlainObject {

	}

}
