/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.informer.InformerFactory;
import dev.informer.ObjectCopy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.CustomResource;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.Verb;
import dev.informer.testing.PlainObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ObjectWriter}.
 */
@Timeout(60)
class ObjectWriterTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApiClient apiClient = new ClientBuilder().setBasePath(this.kubernetes.url()).build();

	private final InformerFactory factory = InformerFactory.create(this.apiClient);

	private final List<String> writes = new ArrayList<>();

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests", (write) -> {
		try {
			this.writes.add(write.operation() + " " + write.proceed());
		}
		catch (ObjectWriteException ex) {
			this.writes.add(write.operation() + " " + ex.getCode());
			throw ex;
		}
	});

	@BeforeEach
	void createNamespace() {
		this.kubernetes.create(new V1Namespace().apiVersion("v1").kind("Namespace").metadata(named("shop")));
		this.kubernetes.clearRequests();
	}

	@AfterEach
	void close() {
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void create_returnsStoredObject() throws Exception {
		V1ConfigMap desired = configMap("a");
		V1ConfigMap created = this.writer.create(desired);
		assertThat(created.getMetadata().getUid()).isNotNull();
		assertThat(created.getData()).isEqualTo(Map.of("key", "value"));
		assertThat(created.getKind()).isEqualTo("ConfigMap");
		assertThat(desired.getMetadata().getUid()).isNull();
		assertThat(this.kubernetes.get("configmaps", "shop", "a")).isPresent();
		assertThat(requests(Verb.CREATE)).singleElement()
			.satisfies((request) -> assertThat(request.query()).containsEntry("fieldManager", "tests"));
		assertThat(this.writes).containsExactly("CREATE SUCCESS");
	}

	@Test
	void create_existingObject_isConflict() throws Exception {
		this.writer.create(configMap("a"));
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(configMap("a")))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(409))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("AlreadyExists"))
			.withMessageStartingWith("Cannot create configmaps 'shop/a': 409 AlreadyExists: ");
		assertThat(this.writes).containsExactly("CREATE SUCCESS", "CREATE 409");
	}

	@Test
	void create_generatesName() throws Exception {
		V1ConfigMap desired = configMap("a");
		desired.getMetadata().name(null).generateName("a-");
		assertThat(this.writer.create(desired).getMetadata().getName()).startsWith("a-").hasSizeGreaterThan(2);
	}

	@Test
	void owner_becomesController() throws Exception {
		V1ConfigMap owner = this.writer.create(configMap("owner"));
		V1ConfigMap desired = configMap("a");
		desired.getMetadata().namespace(null);
		V1ConfigMap created = this.writer.create(desired, owner);
		assertThat(created.getMetadata().getNamespace()).isEqualTo("shop");
		assertThat(created.getMetadata().getOwnerReferences()).containsExactly(new V1OwnerReference().apiVersion("v1")
			.kind("ConfigMap")
			.name("owner")
			.uid(owner.getMetadata().getUid())
			.controller(true));
	}

	@Test
	void invalidArguments_areRefusedBeforeAnyRequest() throws Exception {
		V1ConfigMap owner = this.writer.create(configMap("owner"));
		this.kubernetes.clearRequests();
		V1ConfigMap elsewhere = configMap("a");
		elsewhere.getMetadata().namespace("other");
		refused(() -> this.writer.create(new V1ConfigMap()), "it has no name. Set metadata.name or metadata.generate");
		refused(() -> this.writer.create(configMap("")), "it has no name");
		refused(() -> this.writer.apply(generated()), "it has no name. Set metadata.name.");
		refused(() -> this.writer.create(configMap("../b")), "its name is invalid");
		refused(() -> this.writer.create(configMap("..")), "its name is invalid");
		refused(() -> this.writer.create(new V1ConfigMap().metadata(named("a"))), "it has no namespace");
		refused(() -> this.writer.create(new V1ConfigMap().metadata(named("a").namespace("A/b"))),
				"its namespace is invalid");
		refused(() -> this.writer.create(new V1ClusterRole().metadata(named("a").namespace("shop"))),
				"it has a namespace, but is cluster-scoped");
		refused(() -> this.writer.create(configMap("a"), configMap("owner")), "it has no UID");
		refused(() -> this.writer.create(elsewhere, owner), "it is in another namespace (other)");
		refused(() -> this.writer.create(new V1ClusterRole().metadata(named("a")), owner),
				"it is in another namespace (none)");
		refused(() -> this.writer.update(configMap("a")), "it has no valid metadata.resourceVersion");
		refused(() -> this.writer.updateStatus(configMap("a")), "it has no valid metadata.resourceVersion");
		refused(() -> this.writer.delete(configMap("a")), "it has no UID");
		refused(() -> this.writer.create(new TenantRecord(named("a").namespace("shop"))), "it is a record");
		refused(() -> this.writer.create(new Unannotated()), "annotate the class with @CustomResource");
		refused(() -> this.writer.create(new PartialObjectMetadata()), "does not name its resource");
		refused(() -> this.writer.create(new DynamicKubernetesObject()), "without apiVersion and kind");
		refused(() -> ObjectWriter.of(this.factory, ""), "1 to 128 printable characters");
		refused(() -> this.writer.withFieldManager("a\nb"), "1 to 128 printable characters");
		assertThat(this.kubernetes.requests()).isEmpty();
	}

	@Test
	void nullArguments_areRefusedBeforeAnyRequest() throws Exception {
		V1ConfigMap owner = this.writer.create(configMap("owner"));
		this.kubernetes.clearRequests();
		V1ConfigMap none = none();
		refused(() -> this.writer.create(none), "Cannot create an object: the argument 'desired' is null. Pass it.");
		refused(() -> this.writer.create(none, owner), "the argument 'desired' is null");
		refused(() -> this.writer.create(configMap("a"), none),
				"Cannot create an object: the argument 'owner' is null. "
						+ "Pass the owner as it was read, or call the method without an owner.");
		refused(() -> this.writer.apply(none), "Cannot apply an object: the argument 'desired' is null");
		refused(() -> this.writer.apply(configMap("a"), none), "Cannot apply an object: the argument 'owner' is null");
		refused(() -> this.writer.update(none), "Cannot update an object: the argument 'object' is null");
		refused(() -> this.writer.updateStatus(none), "Cannot update the status of an object: the argument 'object'");
		refused(() -> this.writer.patch(none, (copy) -> {
		}), "Cannot patch an object: the argument 'object' is null");
		refused(() -> this.writer.patch(owner, none()), "Cannot patch an object: the argument 'change' is null");
		refused(() -> this.writer.delete(none), "Cannot delete an object: the argument 'object' is null");
		refused(() -> this.writer.deleteUnchanged(none), "Cannot delete an object: the argument 'object' is null");
		refused(() -> this.writer.withFieldManager(none()), "1 to 128 printable characters");
		refused(() -> ObjectWriter.of(this.factory, none()), "1 to 128 printable characters");
		refused(() -> ObjectWriter.of(none(), "tests"),
				"Cannot create an ObjectWriter: the argument 'factory' is null");
		refused(() -> Reconcilers.of(none(), this.writer), "Cannot create Reconcilers: the argument 'factory' is null");
		refused(() -> Reconcilers.of(this.factory, none()), "Cannot create Reconcilers: the argument 'writer' is null");
		assertThat(this.kubernetes.requests()).isEmpty();
	}

	@SuppressWarnings({ "NullAway", "TypeParameterUnusedInFormals" })
	private static <T> T none() {
		return null;
	}

	private static V1ConfigMap generated() {
		V1ConfigMap generated = configMap("a");
		generated.getMetadata().name(null).generateName("a-");
		return generated;
	}

	private static void refused(Write write, String message) {
		assertThatIllegalArgumentException().isThrownBy(write::write).withMessageContaining(message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\u0085b", "a\u009b31m", "a\u2028b", "a\u2029b", "a\ud800b", "a\udc00", "\ud83d",
			"a\u0000", "a\u007f" })
	void nameThatALineOrAPathCannotHave_isRefusedBeforeAnyRequest(String name) {
		this.kubernetes.clearRequests();
		refused(() -> this.writer.create(configMap(name)), "its name is invalid");
		refused(() -> this.writer.delete(configMap(name)), "its name is invalid");
		assertThat(this.kubernetes.requests()).isEmpty();
	}

	@Test
	void textOfObjects_isConvertedForMessages() {
		String token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln";
		V1ConfigMap object = configMap("a\u202eb-" + token);
		object.getMetadata().uid("uid").resourceVersion("1");
		V1ConfigMap owner = configMap("c\u202e-" + token);
		owner.getMetadata().namespace("other\r\n").uid("uid");
		DynamicKubernetesObject kind = untyped("v1", "Cart\u2028\r\n " + token);
		DynamicKubernetesObject version = untyped("v1\u2028\r\n " + token, "Cart");
		for (Write write : List.<Write>of(() -> this.writer.update(object),
				() -> this.writer.patch(object, (copy) -> copy.putDataItem("a", "b")),
				() -> this.writer.create(configMap("a"), owner), () -> this.writer.create(kind),
				() -> this.writer.create(version))) {
			assertThatExceptionOfType(Exception.class).isThrownBy(write::write)
				.satisfies((ex) -> assertThat(ex.getMessage()).contains("***")
					.doesNotContain(token, "\u202e", "\u2028", "\r", "\n"));
		}
	}

	private static DynamicKubernetesObject untyped(String apiVersion, String kind) {
		JsonObject object = new JsonObject();
		object.addProperty("apiVersion", apiVersion);
		object.addProperty("kind", kind);
		JsonObject metadata = new JsonObject();
		metadata.addProperty("namespace", "shop");
		metadata.addProperty("name", "a");
		object.add("metadata", metadata);
		return new DynamicKubernetesObject(object);
	}

	@Test
	void apply_ownsWhatIsSet_andRemovesWhatIsNoLongerSet() throws Exception {
		V1ConfigMap owner = this.writer.create(configMap("owner"));
		V1ConfigMap desired = configMap("a").putDataItem("other", "1");
		this.writer.apply(desired, owner);
		this.kubernetes.mergePatch("configmaps", "shop", "a", "{\"data\": {\"foreign\": \"1\"}}");
		V1ConfigMap applied = this.writer.apply(configMap("a"), owner);
		assertThat(applied.getData()).isEqualTo(Map.of("key", "value", "foreign", "1"));
		assertThat(applied.getMetadata().getOwnerReferences()).hasSize(1);
		this.writer.delete(owner);
		assertThat(this.kubernetes.get("configmaps", "shop", "a")).isEmpty();
	}

	@Test
	void unchangedApply_isNotSent() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = started(V1ConfigMap.class);
		assertThat(informer.awaitAtLeast(this.writer.apply(configMap("a")), LONG)).isTrue();
		V1ConfigMap cached = informer.lister().get("shop", "a").orElseThrow();
		assertThat(this.writer.apply(configMap("a"))).isEqualTo(cached)
			.isNotSameAs(cached)
			.satisfies((copy) -> assertThat(copy.getData()).isNotSameAs(cached.getData()));
		this.writer.withFieldManager("other").apply(configMap("a"));
		this.kubernetes.mergePatch("configmaps", "shop", "a", "{\"data\": {\"key\": \"foreign\"}}");
		await().until(() -> "foreign".equals(informer.lister().get("shop", "a").orElseThrow().getData().get("key")));
		V1ConfigMap corrected = this.writer.apply(configMap("a"));
		assertThat(corrected.getData()).isEqualTo(Map.of("key", "value"));
		assertThat(informer.awaitAtLeast(corrected, LONG)).isTrue();
		this.writer.apply(configMap("a"));
		this.writer.apply(configMap("a").putDataItem("more", "1"));
		assertThat(this.writes).containsExactly("APPLY SUCCESS", "APPLY UNCHANGED", "APPLY SUCCESS", "APPLY SUCCESS",
				"APPLY UNCHANGED", "APPLY SUCCESS");
	}

	@Test
	void unchangedApply_isNotSent_whereATransformRemovesWhatWasApplied() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.factory.informer(V1ConfigMap.class);
		informer.setTransform((object) -> {
			object.getMetadata().setAnnotations(null);
			return object;
		});
		informer.start();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		V1ConfigMap desired = configMap("a");
		desired.getMetadata().setAnnotations(Map.of("a", "b"));
		assertThat(informer.awaitAtLeast(this.writer.apply(desired), LONG)).isTrue();
		V1ConfigMap cached = informer.lister().get("shop", "a").orElseThrow();
		assertThat(cached.getMetadata().getAnnotations()).isNullOrEmpty();
		assertThat(this.writer.apply(desired)).isEqualTo(cached).isNotSameAs(cached);
		this.kubernetes.mergePatch("configmaps", "shop", "a", "{\"metadata\": {\"annotations\": {\"a\": \"c\"}}}");
		await().until(() -> informer.lister().get("shop", "a").orElseThrow() != cached);
		V1ConfigMap corrected = this.writer.apply(desired);
		assertThat(corrected.getMetadata().getAnnotations()).isEqualTo(Map.of("a", "b"));
		assertThat(informer.awaitAtLeast(corrected, LONG)).isTrue();
		this.writer.apply(desired);
		assertThat(this.writes).containsExactly("APPLY SUCCESS", "APPLY UNCHANGED", "APPLY SUCCESS", "APPLY UNCHANGED");
	}

	@Test
	void cacheThatDoesNotFollowTheServer_isNotTrusted() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = started(V1ConfigMap.class);
		assertThat(informer.awaitAtLeast(this.writer.apply(configMap("a")), LONG)).isTrue();
		this.writer.apply(configMap("a"));
		informer.stop(Duration.ZERO);
		this.writer.apply(configMap("a"));
		assertThat(this.writes).containsExactly("APPLY SUCCESS", "APPLY UNCHANGED", "APPLY SUCCESS");
	}

	@Test
	void apply_isSentAgain_inAnotherEpochOfTheInformer() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = started(V1ConfigMap.class);
		V1ConfigMap applied = this.writer.apply(configMap("a"));
		assertThat(informer.awaitAtLeast(applied, LONG)).isTrue();
		this.writer.apply(configMap("a"));
		this.kubernetes.clearRequests();
		informer.relist();
		await().until(() -> this.kubernetes.openWatches("configmaps") == 1
				&& this.kubernetes.requests(Verb.WATCH, "configmaps").size() == 1);
		assertThat(informer.awaitAtLeast(applied, LONG)).isTrue();
		this.writer.apply(configMap("a"));
		this.writer.apply(configMap("a"));
		assertThat(this.writes).containsExactly("APPLY SUCCESS", "APPLY UNCHANGED", "APPLY SUCCESS", "APPLY UNCHANGED");
	}

	@Test
	void applyWithConflicts_failsWhereAnotherManagerHasAnotherValue() throws Exception {
		this.writer.apply(configMap("a"));
		ObjectWriter careful = this.writer.withFieldManager("careful").withConflicts();
		assertThatExceptionOfType(ObjectWriteException.class)
			.isThrownBy(() -> careful.apply(configMap("a").putDataItem("key", "other")))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(409))
			.withMessageContaining(".data.key")
			.withMessageEndingWith("Leave the field out, or take it over by a writer without conflicts.");
		careful.apply(configMap("a"));
		this.writer.withFieldManager("other").apply(configMap("a").putDataItem("key", "other"));
		assertThat(this.kubernetes.get("configmaps", "shop", "a").orElseThrow().at("/data/key").asString())
			.isEqualTo("other");
	}

	@Test
	void update_replacesObjectOfSameVersion() throws Exception {
		V1ConfigMap created = this.writer.create(configMap("a"));
		V1ConfigMap copy = ObjectCopy.of(created);
		copy.putDataItem("key", "other");
		V1ConfigMap updated = this.writer.update(copy);
		assertThat(updated.getData()).isEqualTo(Map.of("key", "other"));
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.update(copy))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("Conflict"))
			.withMessageEndingWith("Read the object again and repeat the change.");
		assertThat(this.writes).containsExactly("CREATE SUCCESS", "UPDATE SUCCESS", "UPDATE 409");
	}

	@Test
	void unchangedUpdate_isNotSent() throws Exception {
		V1ConfigMap created = this.writer.create(configMap("a"));
		SharedIndexInformer<V1ConfigMap> informer = started(V1ConfigMap.class);
		assertThat(informer.awaitAtLeast(created, LONG)).isTrue();
		V1ConfigMap cached = informer.lister().get("shop", "a").orElseThrow();
		assertThat(this.writer.update(ObjectCopy.of(cached))).isEqualTo(cached).isNotSameAs(cached);
		assertThat(this.writer.patch(cached, (copy) -> {
		})).isEqualTo(cached).isNotSameAs(cached);
		this.writes.remove("PATCH UNCHANGED");
		V1ConfigMap copy = ObjectCopy.of(cached);
		copy.putDataItem("key", "other");
		this.writer.update(copy);
		assertThat(this.writes).containsExactly("CREATE SUCCESS", "UPDATE UNCHANGED", "UPDATE SUCCESS");
		assertThat(requests(Verb.UPDATE)).hasSize(1);
	}

	@Test
	void updateStatus_changesStatusOnly() throws Exception {
		V1Pod created = this.writer.create(pod("a"));
		V1Pod copy = ObjectCopy.of(created);
		copy.setStatus(new V1PodStatus().phase("Failed"));
		copy.getMetadata().putLabelsItem("x", "y");
		V1Pod updated = this.writer.updateStatus(copy);
		assertThat(updated.getStatus().getPhase()).isEqualTo("Failed");
		assertThat(this.kubernetes.get("pods", "shop", "a").orElseThrow().at("/status/phase").asString())
			.isEqualTo("Failed");
		assertThat(this.writes).containsExactly("CREATE SUCCESS", "UPDATE_STATUS SUCCESS");
	}

	@Test
	void updateStatusOfAChangedSpec_isRefused() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		Tenant tenant = Tenant.of("shop", "a");
		tenant.spec().zones.add("eu");
		this.writer.create(tenant);
		SharedIndexInformer<Tenant> tenants = started(Tenant.class);
		Tenant copy = ObjectCopy.of(tenants.lister().get("shop", "a").orElseThrow());
		copy.status().ready = 1;
		copy.spec().replicas = 2;
		refused(() -> this.writer.updateStatus(copy),
				"its spec.replicas was changed, which the API server would ignore. Use update or patch for it.");
		copy.spec().replicas = 0;
		copy.spec().zones.clear();
		refused(() -> this.writer.updateStatus(copy), "its spec.zones was changed");
		copy.spec().zones.add("us");
		refused(() -> this.writer.updateStatus(copy), "its spec.zones[0] was changed");
		copy.spec().zones.set(0, "eu");
		assertThat(this.writer.updateStatus(copy).status().ready).isEqualTo(1);
		assertThat(this.kubernetes.requests(Verb.UPDATE, "tenants.example.com")).hasSize(1);
	}

	@Test
	void updateStatusOfAnObjectThatIsNotCached_isComparedWithTheAnswer() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		Tenant tenant = Tenant.of("shop", "a");
		tenant.spec().zones.add("eu");
		Tenant created = this.writer.create(tenant);
		created.status().ready = 1;
		created.spec().zones.clear();
		notStored(() -> this.writer.updateStatus(created), "spec.zones", "Use update or patch for it.");
		Tenant current = this.writer.patch(created, (copy) -> copy.getMetadata().putLabelsItem("a", "b"));
		current.spec().replicas = 2;
		notStored(() -> this.writer.updateStatus(current), "spec.replicas", "Use update or patch for it.");
		current.spec().replicas = 0;
		assertThat(this.writer.updateStatus(current).status().ready).isEqualTo(1);
	}

	@Test
	void labelsInAnUpdateOfTheStatus_areComparedWithTheAnswer() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		Tenant tenant = Tenant.of("shop", "a");
		tenant.getMetadata().putLabelsItem("a", "b");
		this.writer.create(tenant);
		SharedIndexInformer<Tenant> tenants = started(Tenant.class);
		Tenant cached = tenants.lister().get("shop", "a").orElseThrow();
		Tenant added = ObjectCopy.of(cached);
		added.status().ready = 1;
		added.getMetadata().putLabelsItem("c", "d");
		notStored(() -> this.writer.updateStatus(added), "metadata.labels.c", "Use update or patch for it.");
		await().until(() -> tenants.lister().get("shop", "a").orElseThrow().status().ready == 1);
		Tenant removed = ObjectCopy.of(tenants.lister().get("shop", "a").orElseThrow());
		removed.status().ready = 2;
		removed.getMetadata().getLabels().remove("a");
		notStored(() -> this.writer.updateStatus(removed), "metadata.labels", "Use update or patch for it.");
	}

	private static void notStored(Write write, String property, String remedy) {
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(write::write)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("NotStored"))
			.withMessageContaining("has not stored the value of " + property)
			.withMessageEndingWith(remedy);
	}

	@Test
	void statusOfANewObject_isRefused() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		Tenant tenant = Tenant.of("shop", "a");
		tenant.status().ready = 1;
		V1Pod pod = pod("a").status(new V1PodStatus().phase("Running"));
		this.kubernetes.clearRequests();
		for (Write write : List.<Write>of(() -> this.writer.create(tenant), () -> this.writer.apply(tenant),
				() -> this.writer.create(pod), () -> this.writer.apply(pod))) {
			refused(write, "it has a status, which the API server would ignore. Set the status to null, "
					+ "and write it by updateStatus afterwards.");
		}
		assertThat(this.kubernetes.requests()).extracting(ReceivedRequest::method).containsOnly("GET");
		tenant.status().ready = 0;
		assertThat(this.writer.create(tenant).status().ready).isZero();
	}

	@Test
	void statusOfANewObjectWithoutDiscovery_isComparedWithTheAnswer() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		Tenant tenant = Tenant.of("shop", "a");
		tenant.status().ready = 1;
		for (Write write : List.<Write>of(() -> this.writer.create(tenant), () -> this.writer.apply(tenant))) {
			this.kubernetes.faults()
				.next(1, (request) -> request.path().equals("/apis/example.com/v1"), Fault.status(503));
			notStored(write, "status.ready", "Set the status to null, and write it by updateStatus afterwards.");
		}
	}

	@Test
	void statusOfANewObjectThatItsClassSets_isNoneOfTheCaller() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		Pending pending = new Pending();
		pending.getMetadata().namespace("shop").name("a");
		assertThat(this.writer.create(pending).getMetadata().getUid()).isNotNull();
		pending.status.phase = "Ready";
		refused(() -> this.writer.apply(pending), "it has a status");
	}

	@Test
	void statusOfANewNode_isWritten() throws Exception {
		V1Node node = new V1Node().metadata(named("a"))
			.status(new V1NodeStatus().putCapacityItem("cpu", new Quantity("4")));
		assertThat(this.writer.create(node).getStatus().getCapacity()).isEqualTo(Map.of("cpu", new Quantity("4")));
	}

	@Test
	void typeWithTheOtherScope_namesAttribute() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		this.kubernetes.create(Workspace.DEFINITION);
		ClusterTenant cluster = new ClusterTenant();
		cluster.getMetadata().name("a");
		NamespacedWorkspace namespaced = new NamespacedWorkspace();
		namespaced.getMetadata().namespace("shop").name("a").resourceVersion("1");
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(cluster))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(404))
			.withMessageEndingWith("On this API server, the resource is namespaced, but declared as cluster-scoped. "
					+ "Set namespaced = true in the annotation @CustomResource of " + ClusterTenant.class.getName()
					+ ".");
		for (Write write : List.<Write>of(() -> this.writer.create(namespaced), () -> this.writer.apply(namespaced),
				() -> this.writer.update(namespaced), () -> this.writer.updateStatus(namespaced))) {
			assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(write::write)
				.withMessageContaining(
						"On this API server, the resource is cluster-scoped, but declared as namespaced. "
								+ "Set namespaced = false");
		}
	}

	@Test
	void missingNamespace_hasRemedy() {
		V1ConfigMap elsewhere = configMap("a");
		elsewhere.getMetadata().setNamespace("missing");
		for (Write write : List.<Write>of(() -> this.writer.create(elsewhere), () -> this.writer.apply(elsewhere))) {
			assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(write::write)
				.withMessageEndingWith("namespaces \"missing\" not found. Create the namespace first, or correct that "
						+ "of the object.");
		}
	}

	@Test
	void statusOfResourceWithoutIt_namesDefinition() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION.replace("\"subresources\": {\"status\": {}},", ""));
		Tenant created = this.writer.create(Tenant.of("shop", "a"));
		created.status().ready = 1;
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.updateStatus(created))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(404))
			.withMessageEndingWith("If it exists, declare the status subresource in the "
					+ "CustomResourceDefinition of tenants.example.com/v1.");
	}

	@Test
	void patch_sendsOnlyChangedProperties() throws Exception {
		V1ConfigMap created = this.writer.create(configMap("a"));
		this.kubernetes.mergePatch("configmaps", "shop", "a", "{\"data\": {\"foreign\": \"1\"}}");
		V1ConfigMap patched = this.writer.patch(created, (copy) -> copy.getMetadata().putLabelsItem("x", "y"));
		assertThat(patched.getMetadata().getLabels()).isEqualTo(Map.of("x", "y"));
		assertThat(patched.getData()).isEqualTo(Map.of("key", "value", "foreign", "1"));
		assertThat(created.getMetadata().getLabels()).isNullOrEmpty();
		assertThat(this.writer.patch(patched, (copy) -> copy.getMetadata().setLabels(null)).getMetadata().getLabels())
			.isNullOrEmpty();
		assertThat(this.writer.patch(created, (copy) -> {
		})).isEqualTo(created);
		assertThat(this.writes).containsExactly("CREATE SUCCESS", "PATCH SUCCESS", "PATCH SUCCESS", "PATCH UNCHANGED");
	}

	@Test
	void patch_replacesListOfSameVersionOnly() throws Exception {
		V1ConfigMap created = this.writer.create(configMap("a"));
		this.kubernetes.mergePatch("configmaps", "shop", "a", "{\"metadata\": {\"finalizers\": [\"a.b/c\"]}}");
		assertThatExceptionOfType(ObjectWriteException.class)
			.isThrownBy(() -> this.writer.patch(created, (copy) -> copy.getMetadata().addFinalizersItem("d.e/f")))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(409));
	}

	@Test
	void patchOfSuccessor_isInvalid() throws Exception {
		V1ConfigMap created = this.writer.create(configMap("a"));
		this.kubernetes.delete("configmaps", "shop", "a");
		this.writer.create(configMap("a"));
		assertThatExceptionOfType(ObjectWriteException.class)
			.isThrownBy(() -> this.writer.patch(created, (copy) -> copy.putDataItem("x", "y")))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(422))
			.withMessageEndingWith("422 Invalid: metadata.uid (FieldValueInvalid)");
	}

	@Test
	void patchOfStatus_isRefused() throws Exception {
		V1Pod created = this.writer.create(pod("a"));
		refused(() -> this.writer.patch(created, (copy) -> copy.setStatus(new V1PodStatus().phase("Failed"))),
				"Use updateStatus.");
	}

	@Test
	void changedStatusThatIsASubresource_isRefused() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		Tenant created = this.writer.create(Tenant.of("shop", "a"));
		refused(() -> this.writer.patch(created, (copy) -> copy.status().ready = 1), "Use updateStatus.");
		SharedIndexInformer<Tenant> tenants = this.factory.informer(Tenant.class);
		this.factory.start();
		assertThat(this.factory.awaitSynced(LONG)).isTrue();
		Tenant copy = ObjectCopy.of(tenants.lister().get("shop", "a").orElseThrow());
		copy.status().ready = 1;
		refused(() -> this.writer.update(copy), "Use updateStatus.");
		copy.status().ready = 0;
		copy.spec().replicas = 2;
		assertThat(this.writer.update(copy).spec().replicas).isEqualTo(2);
		assertThat(this.kubernetes.requests(Verb.UPDATE, "tenants.example.com")).hasSize(1);
	}

	@Test
	void statusOfAnObjectThatIsNotCached_isComparedWithTheAnswer() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		Tenant created = this.writer.create(Tenant.of("shop", "a"));
		created.status().ready = 1;
		created.spec().replicas = 2;
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.update(created))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("NotStored"))
			.withMessage("The API server has carried out the request to update tenants.example.com 'shop/a', "
					+ "but has not stored the value of status.ready. Use updateStatus.");
		assertThat(this.kubernetes.get("tenants.example.com", "shop", "a").orElseThrow().at("/spec/replicas").asInt())
			.isEqualTo(2);
	}

	@Test
	void statusThatIsNoSubresource_isWritten() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION.replace("\"subresources\": {\"status\": {}},", ""));
		Tenant created = this.writer.create(Tenant.of("shop", "a"));
		Tenant patched = this.writer.patch(created, (copy) -> copy.status().ready = 1);
		assertThat(patched.status().ready).isEqualTo(1);
		patched.status().ready = 2;
		assertThat(this.writer.update(patched).status().ready).isEqualTo(2);
	}

	@Test
	void changeOfUnlistedCollections_isSent() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		Tenant tenant = Tenant.of("shop", "a");
		tenant.spec().regions.add("eu");
		tenant.spec().ports = new Tenant.Ports(new ArrayList<>(List.of(80)), new int[] { 1 });
		Tenant created = this.writer.create(tenant);
		Tenant patched = this.writer.patch(created, (copy) -> {
			copy.spec().regions.add("us");
			copy.spec().ports.numbers().add(81);
			copy.spec().ports.weights()[0] = 2;
		});
		assertThat(created.spec().regions).containsExactly("eu");
		assertThat(created.spec().ports.numbers()).containsExactly(80);
		assertThat(patched.spec().regions).containsExactly("eu", "us");
		assertThat(patched.spec().ports.numbers()).containsExactly(80, 81);
		assertThat(patched.spec().ports.weights()).containsExactly(2);
	}

	@Test
	void delete_leavesSuccessor() throws Exception {
		V1ConfigMap created = this.writer.create(configMap("a"));
		SharedIndexInformer<V1ConfigMap> informer = started(V1ConfigMap.class);
		assertThat(informer.awaitAtLeast(created, LONG)).isTrue();
		assertThat(this.writer.delete(created)).isTrue();
		assertThat(informer.awaitDeleted(created, LONG)).isTrue();
		assertThat(this.writer.delete(created)).isFalse();
		V1ConfigMap successor = this.writer.create(configMap("a"));
		assertThat(this.writer.delete(created)).isFalse();
		assertThat(informer.awaitAtLeast(successor, LONG)).isTrue();
		assertThat(informer.awaitDeleted(created, LONG)).isTrue();
		assertThat(informer.awaitDeleted(successor, Duration.ofMillis(50))).isFalse();
		assertThat(this.kubernetes.get("configmaps", "shop", "a")).isPresent();
		assertThat(this.writes).containsExactly("CREATE SUCCESS", "DELETE SUCCESS", "DELETE UNCHANGED",
				"CREATE SUCCESS", "DELETE UNCHANGED");
	}

	@Test
	void untypedObject_isWrittenByItsKind() throws Exception {
		this.kubernetes.create(Tenant.DEFINITION);
		this.kubernetes.clearRequests();
		DynamicKubernetesObject desired = new DynamicKubernetesObject(JsonParser.parseString("""
				{"apiVersion": "example.com/v1", "kind": "Tenant", "metadata": {"namespace": "shop", "name": "a"},
				 "spec": {"replicas": 2}}""").getAsJsonObject());
		DynamicKubernetesObject created = this.writer.create(desired);
		assertThat(created.getMetadata().getUid()).isNotNull();
		assertThat(this.writer.delete(created)).isTrue();
		assertThat(this.kubernetes.requests()).extracting(ReceivedRequest::path)
			.containsExactly("/apis/example.com/v1", "/apis/example.com/v1/namespaces/shop/tenants",
					"/apis/example.com/v1/namespaces/shop/tenants/a");
		desired.getRaw().addProperty("apiVersion", "../v1");
		refused(() -> this.writer.create(desired), "'../v1' is not an API version");
		desired.getRaw().addProperty("apiVersion", "example.com/v1");
		desired.getRaw().addProperty("kind", "Unknown");
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(desired))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(404))
			.withMessage("Cannot find the resource of kind 'Unknown' in 'example.com/v1': 404: the API server has no "
					+ "such kind in example.com/v1. Check apiVersion and kind, or install the "
					+ "CustomResourceDefinition or the aggregated API server first.");
	}

	@Test
	void typeThatIsNotServed_namesDefinition() {
		assertThatExceptionOfType(ObjectWriteException.class)
			.isThrownBy(() -> this.writer.create(Tenant.of("shop", "a")))
			.withMessageEndingWith("Install the CustomResourceDefinition of tenants.example.com/v1 "
					+ "or its aggregated API server, or use a version that is served.");
	}

	@Test
	void overloadedServer_saysWhenToRepeat() {
		this.kubernetes.faults().next(1, Verb.CREATE, "configmaps", Fault.tooManyRequests(Duration.ofSeconds(7)));
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(configMap("a")))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(429))
			.satisfies((ex) -> assertThat(ex.retryAfter()).contains(Duration.ofSeconds(7)));
	}

	@Test
	void unreachableServer_hasCodeZero() {
		this.kubernetes.close();
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> this.writer.create(configMap("a")))
			.satisfies((ex) -> assertThat(ex.getCode()).isZero())
			.withMessageStartingWith("Cannot create configmaps 'shop/a': API server unreachable, ");
	}

	@Test
	void brokenConnection_creationIsSentOnce() {
		this.kubernetes.faults().next(1, Verb.CREATE, "configmaps", Fault.cutConnection());
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(configMap("a")))
			.satisfies((ex) -> assertThat(ex.getCode()).isZero());
		assertThat(requests(Verb.CREATE)).hasSize(1);
	}

	@Test
	void invalidAnswer_saysThatTheRequestWasCarriedOut() {
		this.kubernetes.faults().next(1, Verb.CREATE, "configmaps", Fault.body("{\"metadata\": 1}"));
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(configMap("a")))
			.withMessageStartingWith("The API server has carried out the request to create configmaps 'shop/a', "
					+ "but its answer is invalid: ");
	}

	@Test
	void missingRight_namesRole() {
		this.kubernetes.faults().next(1, Verb.CREATE, "configmaps", Fault.status(403));
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(configMap("a")))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(403))
			.withMessageEndingWith("Grant the verb create: kubectl create role NAME --namespace=shop --verb=create "
					+ "--resource=configmaps");
	}

	@Test
	void interruptedThread_remainsInterrupted() {
		Thread.currentThread().interrupt();
		try {
			assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(configMap("a")))
				.withMessageContaining("the thread was interrupted before the API server has answered");
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void interruptDuringDiscovery_isKept() {
		DynamicKubernetesObject desired = new DynamicKubernetesObject();
		desired.getRaw().addProperty("apiVersion", "example.com/v1");
		desired.getRaw().addProperty("kind", "Tenant");
		Thread.currentThread().interrupt();
		try {
			assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(desired))
				.withMessageContaining("the thread was interrupted before the API server has answered");
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void interceptors_areNested() throws Exception {
		List<String> order = new ArrayList<>();
		ObjectWriter nested = ObjectWriter.of(this.factory, "tests", (write) -> {
			order.add("outer");
			order.add("outer " + write.proceed());
		}, (write) -> {
			order.add("inner");
			order.add("inner " + write.proceed());
		});
		nested.create(configMap("a"));
		assertThat(order).containsExactly("outer", "inner", "inner SUCCESS", "outer SUCCESS");
	}

	@Test
	void interceptorThatDoesNotProceedOnce_isReported() {
		ObjectWriter broken = ObjectWriter.of(this.factory, "tests", (write) -> {
		});
		assertThatIllegalStateException().isThrownBy(() -> broken.create(configMap("a")))
			.withMessageContaining("did not proceed");
		ObjectWriter twice = ObjectWriter.of(this.factory, "tests", (write) -> {
			write.proceed();
			write.proceed();
		});
		assertThatIllegalStateException().isThrownBy(() -> twice.create(configMap("a")))
			.withMessageContaining("proceeds once");
	}

	@Test
	void objectOfTheCache_isRefused() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = started(V1ConfigMap.class);
		assertThat(informer.awaitAtLeast(this.writer.create(configMap("a")), LONG)).isTrue();
		V1ConfigMap cached = informer.lister().get("shop", "a").orElseThrow();
		refused(() -> this.writer.update(cached), "Change a copy: ObjectCopy.of.");
		refused(() -> this.writer.updateStatus(cached), "Change a copy: ObjectCopy.of.");
	}

	@Test
	void deletionThatAWebhookRefuses_fails() throws Exception {
		V1ConfigMap created = this.writer.create(configMap("a"));
		this.kubernetes.faults().next(1, Verb.DELETE, "configmaps", Fault.status(409));
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.delete(created))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(409));
		assertThat(this.kubernetes.get("configmaps", "shop", "a")).isPresent();
	}

	@Test
	void awaitAtLeast_ofNamespaceThatIsNotWatched_isRefused() throws Exception {
		V1ConfigMap created = this.writer.create(configMap("a"));
		SharedIndexInformer<V1ConfigMap> informer = this.factory.informer(V1ConfigMap.class,
				(options) -> options.name("others").namespaces("default"));
		informer.start();
		refused(() -> informer.awaitAtLeast(created, LONG), "watches only the namespaces [default]");
		refused(() -> informer.awaitDeleted(created, LONG), "watches only the namespaces [default]");
	}

	private <T extends KubernetesObject> SharedIndexInformer<T> started(Class<T> type) throws Exception {
		SharedIndexInformer<T> informer = this.factory.informer(type);
		informer.start();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		return informer;
	}

	private List<ReceivedRequest> requests(Verb verb) {
		return this.kubernetes.requests(verb, "configmaps");
	}

	private static V1ObjectMeta named(String name) {
		return new V1ObjectMeta().name(name);
	}

	private static V1ConfigMap configMap(String name) {
		return new V1ConfigMap().metadata(named(name).namespace("shop")).putDataItem("key", "value");
	}

	private static V1Pod pod(String name) {
		return new V1Pod().metadata(named(name).namespace("shop")).spec(new V1PodSpec());
	}

	@FunctionalInterface
	private interface Write {

		void write() throws Exception;

	}

	@CustomResource(group = "example.com", version = "v1", plural = "tenants", kind = "Tenant")
	private static final class Pending extends PlainObject {

		private final Status status = new Status();

		private static final class Status {

			private @Nullable String phase = "Pending";

		}

	}

	@CustomResource(group = "example.com", version = "v1", plural = "tenants", kind = "Tenant", namespaced = false)
	private static final class ClusterTenant extends PlainObject {

	}

	@CustomResource(group = "example.com", version = "v1", plural = "workspaces", kind = "Workspace")
	private static final class NamespacedWorkspace extends PlainObject {

	}

	@CustomResource(group = "example.com", version = "v1", plural = "tenants", kind = "Tenant")
	private record TenantRecord(V1ObjectMeta metadata) implements KubernetesObject {

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Tenant";
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

	}

	private static final class Unannotated implements KubernetesObject {

		@Override
		public String getApiVersion() {
			return "v1";
		}

		@Override
		public String getKind() {
			return "Unannotated";
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return named("a").namespace("shop");
		}

	}

}
