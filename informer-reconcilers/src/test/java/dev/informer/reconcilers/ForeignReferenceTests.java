/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for references that someone with rights in one namespace writes to objects of
 * others.
 */
@Timeout(60)
class ForeignReferenceTests {

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory factory = InformerFactory
		.create(new ClientBuilder().setBasePath(this.kubernetes.url()).build());

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	private final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class);

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, ObjectWriter.of(this.factory, "tests"));

	private final List<String> calls = new CopyOnWriteArrayList<>();

	@BeforeEach
	void create() {
		this.log.setLevel(Level.WARN);
		this.kubernetes.create(TestObjects.namespace("shop"));
		this.kubernetes.create(TestObjects.namespace("tenant"));
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void objectThatNamesTheUidOfAPrimary_isOwnedInItsNamespaceAndByItsNameOnly() throws Exception {
		start((options) -> options.owns(this.secrets), (context) -> context.owned(V1Secret.class).list());
		V1OwnerReference owner = owner();
		createSecret("tenant", "elsewhere", owner);
		createSecret("shop", "name", owner().name("b"));
		createSecret("shop", "kind", owner().kind("Secret"));
		createSecret("shop", "group", owner().apiVersion("example.com/v1"));
		createSecret("shop", "uid", owner().uid("other"));
		createSecret("shop", "own", owner);
		await().until(() -> this.calls.contains("a[own]"));
		await().until(() -> this.secrets.lister().list().size() == 6);
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		int before = this.calls.size();
		this.kubernetes.mergePatch("secrets", "shop", "own", Map.of("metadata", Map.of("labels", Map.of("l", "1"))));
		await().until(() -> this.calls.size() > before);
		assertThat(this.calls).allMatch((call) -> call.equals("a[own]") || call.equals("a[]"));
		assertThat(this.calls.get(this.calls.size() - 1)).isEqualTo("a[own]");
	}

	@Test
	void objectOfSeveralInformers_isOwnedAndReferredToOnce() throws Exception {
		SharedIndexInformer<V1Secret> labelled = this.factory.informer(V1Secret.class,
				(options) -> options.name("labelled").labelSelector("labelled"));
		index("twice", "shop/twice");
		start((options) -> options.owns(this.secrets)
			.owns(labelled)
			.watches(this.secrets, "refs")
			.watches(labelled, "refs"), (context) -> {
				List<V1Secret> all = new ArrayList<>(context.owned(V1Secret.class).list());
				all.addAll(context.watched(V1Secret.class).list());
				return all;
			});
		createSecret("shop", "twice", owner());
		this.kubernetes.mergePatch("secrets", "shop", "twice",
				Map.of("metadata", Map.of("labels", Map.of("labelled", "true"))));
		await().until(() -> labelled.lister().size() == 1);
		int before = this.calls.size();
		this.reconcilers.registrations().get(0).request("shop", "a");
		await().until(() -> this.calls.size() > before);
		assertThat(this.calls.get(this.calls.size() - 1)).isEqualTo("a[twice, twice]");
	}

	@Test
	void ownerWithASlash_leadsToNoCallInAnotherNamespace() throws Exception {
		this.kubernetes.create(TestObjects.configMap("shop", "b"));
		start((options) -> options.owns(this.secrets), (context) -> List.of());
		createSecret("tenant", "forged", owner().name("shop/a").uid("any"));
		createSecret("shop", "own", owner().name("b"));
		await().until(() -> this.calls.contains("b[]"));
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.calls).containsExactly("b[]");
	}

	@Test
	void nameOfAnotherNamespace_isNoReference() throws Exception {
		index("shop/of-own", "kube-system/admin", "tenant/admin", "plain");
		start((options) -> options.watches(this.secrets, "refs"), (context) -> context.watched(V1Secret.class).list());
		createSecret("tenant", "admin", null);
		createSecret("shop", "of-own", null);
		createSecret("shop", "plain", null);
		await().until(() -> this.calls.contains("a[of-own, plain]"));
		assertThat(this.calls).hasSizeLessThanOrEqualTo(2).doesNotContain("a[]");
		assertThat(this.log.text()).containsOnlyOnce("Reconciler 'configmaps' ignores 'kube-system/admin', which "
				+ "cannot be the name of an object in the namespace of the primary object, from its watches of V1Secret "
				+ "by index 'refs' for shop/a")
			.doesNotContain("'shop/of-own'");
	}

	@Test
	void anyNamespace_isAskedFor() throws Exception {
		index("tenant/admin", "plain");
		start((options) -> options.watchesAnyNamespace(this.secrets, "refs"),
				(context) -> context.watched(V1Secret.class).list());
		createSecret("tenant", "admin", null);
		await().until(() -> this.calls.contains("a[admin]"));
		createSecret("shop", "plain", null);
		await().until(() -> this.calls.contains("a[admin, plain]"));
		assertThat(this.log.text()).doesNotContain("ignores");
	}

	private void index(String... values) {
		this.configMaps.addMultiValueIndex("refs", (primary) -> List.of(values));
	}

	private void start(Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options,
			Function<ReconcileContext, List<V1Secret>> objects) throws InterruptedException {
		ReconcilerRegistration registration = this.reconcilers.add(this.configMaps, (primary, context) -> {
			this.calls.add(primary.getMetadata().getName() + objects.apply(context)
				.stream()
				.map((secret) -> secret.getMetadata().getName())
				.sorted()
				.toList());
			return null;
		}, (builder) -> options.accept(builder.minInterval(Duration.ZERO)));
		this.reconcilers.start();
		assertThat(this.factory.awaitSynced(Duration.ofSeconds(30))).isTrue();
		await().until(() -> this.calls.size() == this.kubernetes.list("configmaps", "shop").size()
				&& registration.counts().active() == 0);
		this.calls.clear();
	}

	private V1OwnerReference owner() {
		V1ConfigMap primary = this.configMaps.lister().get("shop", "a").orElseThrow();
		return new V1OwnerReference().apiVersion("v1")
			.kind("ConfigMap")
			.name("a")
			.uid(primary.getMetadata().getUid())
			.controller(true);
	}

	private void createSecret(String namespace, String name, @Nullable V1OwnerReference owner) {
		V1ObjectMeta metadata = new V1ObjectMeta().namespace(namespace).name(name);
		if (owner != null) {
			metadata.addOwnerReferencesItem(owner);
		}
		this.kubernetes.create(new V1Secret().apiVersion("v1").kind("Secret").metadata(metadata));
	}

}
