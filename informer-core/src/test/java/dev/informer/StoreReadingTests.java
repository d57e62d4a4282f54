/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerState.Phase;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for reading the cache, over HTTP against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class StoreReadingTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory informers = factory(TimeSource.SYSTEM);

	@BeforeEach
	void createNamespaces() {
		for (String namespace : List.of("shop", "bank")) {
			this.kubernetes
				.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", namespace)));
		}
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void builtInIndices_findObjectsByOwnerAndLabel() throws Exception {
		create("shop", "a", Map.of("labels", Map.of("app", "web", "tier", "front"), "ownerReferences",
				List.of(owner("u-1"), owner("u-2"))));
		create("bank", "b", Map.of("labels", Map.of("app", "web")));
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class);
		informer.enableIndex(Lister.OWNER_INDEX);
		startAndSync();
		informer.enableIndex(Lister.LABEL_INDEX);
		informer.enableIndex(Lister.LABEL_INDEX);
		Lister<V1ConfigMap> lister = informer.lister();
		assertThat(lister.byIndex(Lister.LABEL_INDEX, "app=web")).hasSize(2);
		assertThat(lister.byIndex(Lister.OWNER_INDEX, "u-2")).hasSize(1);
		ObjectNode patched = this.kubernetes.mergePatch("configmaps", "shop", "a",
				Map.of("metadata", Map.of("labels", Map.of("app", "db"), "ownerReferences", List.of(owner("u-2")))));
		assertThat(informer.awaitAtLeast(version(patched), LONG)).isTrue();
		assertThat(lister.indexValues(Lister.LABEL_INDEX)).containsOnly("app=web", "app=db", "tier=front");
		assertThat(lister.indexValues(Lister.OWNER_INDEX)).containsOnly("u-2");
		this.kubernetes.delete("configmaps", "shop", "a");
		await().untilAsserted(() -> assertThat(lister.indexValues(Lister.LABEL_INDEX)).containsOnly("app=web"));
		assertThat(lister.indexValues(Lister.OWNER_INDEX)).isEmpty();
	}

	@Test
	void builtInIndex_unknownOrAddedManually_isRejected() {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class);
		assertThatIllegalArgumentException().isThrownBy(() -> informer.enableIndex("labels"))
			.withMessageContaining("'labels'")
			.withMessageContaining("[label, namespace, owner]");
		assertThatIllegalArgumentException().isThrownBy(() -> informer.addIndex(Lister.LABEL_INDEX, (map) -> "x"))
			.withMessageContaining("enableIndex");
	}

	@Test
	void awaitAtLeast_readsOwnWrites() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class);
		startAndSync();
		for (int i = 0; i < 20; i++) {
			String name = "a" + i;
			assertThat(informer.awaitAtLeast(version(create("shop", name, Map.of())), LONG)).isTrue();
			assertThat(informer.lister().get("shop", name)).isPresent();
		}
		assertThat(informer.awaitAtLeast("0", Duration.ZERO)).isTrue();
	}

	@Test
	void awaitAtLeast_withSeveralNamespaces_waitsForAllOfThem() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
				(options) -> options.namespaces("shop", "bank"));
		startAndSync();
		await().until(() -> this.kubernetes.openWatches("configmaps") == 2);
		create("shop", "a", Map.of());
		String version = version(create("bank", "b", Map.of()));
		CompletableFuture<Boolean> reached = CompletableFuture.supplyAsync(() -> awaitAtLeast(informer, version));
		await().until(() -> informer.lister().size() == 2);
		assertThat(informer.awaitAtLeast(version, Duration.ZERO)).isFalse();
		assertThat(reached).isNotDone();
		create("shop", "c", Map.of());
		assertThat(reached.get(60, TimeUnit.SECONDS)).isTrue();
		assertThat(informer.lister().get("bank", "b")).isPresent();
	}

	@Test
	void awaitAtLeast_ofObject_waitsForItsNamespaceOnly() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
				(options) -> options.namespaces("shop", "bank"));
		startAndSync();
		create("shop", "a", Map.of());
		V1ConfigMap written = TestObjects.configMap("bank", "b");
		written.getMetadata().setResourceVersion(version(create("bank", "b", Map.of())));
		assertThat(informer.awaitAtLeast(written, LONG)).isTrue();
		assertThat(informer.lister().get("bank", "b")).isPresent();
		V1ConfigMap elsewhere = TestObjects.configMap("default", "c");
		elsewhere.getMetadata().setResourceVersion("1");
		assertThatIllegalArgumentException().isThrownBy(() -> informer.awaitAtLeast(elsewhere, LONG))
			.withMessageContaining("watches only the namespaces");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> informer.awaitAtLeast(TestObjects.configMap("bank", "d"), LONG))
			.withMessageContaining("'null'");
	}

	/**
	 * A cache that has not seen the object yet does not contain it either.
	 */
	@Test
	void awaitDeleted_waitsForCreationAndDeletion() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class);
		startAndSync();
		await().until(() -> this.kubernetes.openWatches("configmaps") == 1);
		this.kubernetes.faults().stallWatches();
		V1ConfigMap created = TestObjects.configMap("shop", "a");
		ObjectNode answer = create("shop", "a", Map.of());
		created.getMetadata().uid(answer.at("/metadata/uid").asString()).resourceVersion(version(answer));
		this.kubernetes.delete("configmaps", "shop", "a");
		assertThat(informer.awaitDeleted(created, Duration.ofMillis(20))).isFalse();
		this.kubernetes.faults().clear();
		this.kubernetes.faults().cutWatches();
		assertThat(informer.awaitDeleted(created, LONG)).isTrue();
		ObjectNode successor = create("shop", "a", Map.of());
		assertThat(informer.awaitAtLeast(version(successor), LONG)).isTrue();
		assertThat(informer.awaitDeleted(created, LONG)).isTrue();
		created.getMetadata().setUid(null);
		assertThatIllegalArgumentException().isThrownBy(() -> informer.awaitDeleted(created, LONG))
			.withMessageContaining("no UID");
	}

	@Test
	void awaitAtLeast_versionNotReached_timesOut() throws Exception {
		FakeTime time = FakeTime.manual();
		try (InformerFactory standing = factory(time)) {
			SharedIndexInformer<V1ConfigMap> informer = standing.informer(V1ConfigMap.class);
			informer.start();
			await().until(informer::hasSynced);
			CompletableFuture<Boolean> reached = CompletableFuture
				.supplyAsync(() -> awaitAtLeast(informer, "999999999999999999999999999999"));
			time.advance(LONG.minusSeconds(1));
			assertThat(reached).isNotDone();
			await().until(() -> {
				time.advance(Duration.ofSeconds(1));
				return reached.isDone();
			});
			assertThat(reached.get()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "007", "-1", "1.0", "abc", "0x10" })
	void awaitAtLeast_versionThatCannotBeCompared_isRejected(String version) {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class);
		assertThatIllegalArgumentException().isThrownBy(() -> informer.awaitAtLeast(version, LONG))
			.withMessageContaining("'" + version + "'");
	}

	@Test
	void awaitAtLeast_failedInformer_throwsItsFailure() {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
				(options) -> options.labelSelector("a=b=c"));
		informer.start();
		await().until(() -> informer.state().phase() == Phase.FAILED);
		assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> informer.awaitAtLeast("1", LONG));
	}

	@Test
	void unsyncedReads_returnCachedObjects() {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
				(options) -> options.allowUnsyncedReads(true));
		assertThat(informer.lister().list()).isEmpty();
		assertThat(informer.hasSynced()).isFalse();
		assertThat(informer.lister().get("shop", "a")).isEmpty();
	}

	@Test
	@SuppressWarnings("NullAway")
	void nullArguments_areRefusedWithTheirNames() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class);
		startAndSync();
		Lister<V1ConfigMap> lister = informer.lister();
		Map<ThrowingCallable, String> calls = new LinkedHashMap<>();
		calls.put(() -> InformerFactory.create((ApiClient) null),
				"create an InformerFactory: the argument 'apiClient'");
		calls.put(() -> this.informers.informer((Class<V1ConfigMap>) null), "create an informer: the argument 'type'");
		calls.put(() -> this.informers.informer((ResourceType<V1ConfigMap>) null, (options) -> {
		}), "create an informer: the argument 'resourceType'");
		calls.put(() -> this.informers.informer(V1ConfigMap.class, null), "create an informer: the argument 'options'");
		calls.put(() -> this.informers.informer((String) null), "discover a resource: the argument 'resource'");
		calls.put(() -> this.informers.addListener(null), "add a listener: the argument 'listener'");
		calls.put(() -> informer.addHandler(null), "add a handler: the argument 'handler'");
		calls.put(() -> informer.addIndex(null, (map) -> "a"), "add an index: the argument 'name'");
		calls.put(() -> informer.addIndex("a", null), "add an index: the argument 'function'");
		calls.put(() -> informer.addMultiValueIndex("a", null), "add an index: the argument 'function'");
		calls.put(() -> informer.setTransform(null), "set the transform: the argument 'transform'");
		calls.put(() -> informer.awaitAtLeast((String) null, LONG),
				"wait for a version: the argument 'resourceVersion'");
		calls.put(() -> informer.awaitAtLeast((V1ConfigMap) null, LONG), "wait for an object: the argument 'written'");
		calls.put(() -> informer.awaitDeleted(null, LONG), "wait for a deletion: the argument 'deleted'");
		calls.put(() -> lister.get(null), "get an object: the argument 'name'");
		calls.put(() -> lister.get("shop", null), "get an object: the argument 'name'");
		calls.put(() -> lister.list(null), "list objects: the argument 'namespace'");
		calls.put(() -> lister.byIndex(null, "shop"), "read an index: the argument 'index'");
		calls.put(() -> lister.byIndex(Lister.NAMESPACE_INDEX, null), "read an index: the argument 'value'");
		calls.put(() -> lister.index(Lister.NAMESPACE_INDEX, null), "read an index: the argument 'object'");
		calls.put(() -> lister.indexKeys(Lister.NAMESPACE_INDEX, null), "read an index: the argument 'value'");
		calls.put(() -> lister.indexValues(null), "read an index: the argument 'index'");
		calls.put(() -> lister.indexValues(Lister.NAMESPACE_INDEX, null), "read an index: the argument 'key'");
		calls.forEach((call, message) -> assertThatIllegalArgumentException().isThrownBy(call)
			.withMessage("Cannot " + message + " is null. Pass it."));
		assertThatIllegalArgumentException().isThrownBy(() -> informer.addIndex("", (map) -> "a"))
			.withMessage("Cannot add an index: its name is empty. Use another name.");
	}

	@Test
	void namesThatCannotBe_areRefused() {
		for (String namespace : List.of("A B", "shop/", "Shop", "a".repeat(64))) {
			assertThatExceptionOfType(InvalidOptionException.class)
				.isThrownBy(
						() -> this.informers.informer(V1ConfigMap.class, (options) -> options.namespaces(namespace)))
				.withMessageStartingWith("Option 'namespaces' must not contain '" + namespace + "': ");
		}
		for (String name : List.of("A b/", "", "a\nb")) {
			assertThatExceptionOfType(InvalidOptionException.class)
				.isThrownBy(() -> this.informers.informer(V1ConfigMap.class, (options) -> options.name(name)))
				.withMessageStartingWith("Option 'name' cannot be '" + name + "'; ");
		}
	}

	@Test
	void resourceWithoutItsGroup_isNotFoundWithRemedy() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.informers.informer("deployments"))
			.withMessageContaining("Cannot find resource 'deployments': ")
			.withMessageContaining("which needs its group, such as deployments.apps");
	}

	@Test
	void namespaceThatIsNotWatched_isRefused() throws Exception {
		create("bank", "a", Map.of());
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
				(options) -> options.namespaces("shop", "office"));
		SharedIndexInformer<V1ConfigMap> all = this.informers.informer(V1ConfigMap.class,
				(options) -> options.name("all"));
		startAndSync();
		Lister<V1ConfigMap> lister = informer.lister();
		V1ConfigMap elsewhere = all.lister().get("bank", "a").orElseThrow();
		for (ThrowingCallable read : List.<ThrowingCallable>of(() -> lister.get("bank", "a"),
				() -> lister.get("bank/a"), () -> lister.list("bank"),
				() -> lister.byIndex(Lister.NAMESPACE_INDEX, "bank"),
				() -> lister.indexKeys(Lister.NAMESPACE_INDEX, "bank"),
				() -> lister.indexValues(Lister.NAMESPACE_INDEX, "bank/a"),
				() -> lister.index(Lister.NAMESPACE_INDEX, elsewhere))) {
			assertThatExceptionOfType(NamespaceNotWatchedException.class).isThrownBy(read)
				.withMessage(
						"Cannot read the namespace 'bank' from the cache of informer 'configmaps': it watches only "
								+ "the namespaces [office, shop]. Let the informer watch the namespace, or read it from an "
								+ "informer that does.")
				.satisfies((ex) -> assertThat(ex.informer()).isEqualTo("configmaps"))
				.satisfies((ex) -> assertThat(ex.namespace()).isEqualTo("bank"));
		}
		for (String namespace : List.of("", "office/")) {
			assertThatExceptionOfType(NamespaceNotWatchedException.class).isThrownBy(() -> lister.get(namespace, "a"))
				.satisfies((ex) -> assertThat(ex.namespace()).isEqualTo(namespace));
		}
		assertThat(lister.get("office", "a")).isEmpty();
		assertThat(lister.list("office")).isEmpty();
		assertThat(lister.get("shop", "a")).isEmpty();
		assertThat(all.lister().list("unknown")).isEmpty();
	}

	private InformerFactory factory(TimeSource time) {
		return InformerFactory.create(() -> new ApiClient().setBasePath(this.kubernetes.url()),
				(settings) -> settings.time(time));
	}

	private static boolean awaitAtLeast(SharedIndexInformer<?> informer, String version) {
		try {
			return informer.awaitAtLeast(version, LONG);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private ObjectNode create(String namespace, String name, Map<String, Object> metadata) {
		Map<String, Object> all = new HashMap<>(metadata);
		all.putAll(Map.of("namespace", namespace, "name", name));
		return this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", all));
	}

	private static Map<String, Object> owner(String uid) {
		return Map.of("apiVersion", "v1", "kind", "ConfigMap", "name", "owner-" + uid, "uid", uid);
	}

	private static String version(ObjectNode object) {
		return object.get("metadata").get("resourceVersion").stringValue();
	}

	private void startAndSync() throws InterruptedException {
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
	}

}
