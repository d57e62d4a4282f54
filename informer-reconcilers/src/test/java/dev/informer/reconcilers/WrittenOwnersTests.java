/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerOptions.Builder;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WrittenOwners}.
 */
@Timeout(60)
class WrittenOwnersTests {

	private static final String NOT_CONTROLLED = "Reconciler 'configmaps' has written secrets shop/%s without its "
			+ "primary object as the controller: its changes lead to no call. Pass the primary object as the owner, "
			+ "or map it by watches";

	private static final String NOT_OWNED = "Reconciler 'configmaps' has written secrets shop/%s with its primary "
			+ "object as an owner, but does not own this resource: its changes lead to no call. Add its class to "
			+ "owns, unless only its deletion is to follow that of the owner";

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory factory = InformerFactory
		.create(new ClientBuilder().setBasePath(this.kubernetes.url()).build());

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	private final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class);

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer);

	@BeforeEach
	void create() {
		this.log.setLevel(Level.WARN);
		this.kubernetes.create(TestObjects.namespace("shop"));
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void ownedResourceWithoutOwner_isReportedOnce() throws Exception {
		call((primary) -> this.writer.apply(secret(primary)), (options) -> options.owns(this.secrets));
		assertThat(this.log.text()).containsOnlyOnce("has written").contains(NOT_CONTROLLED.formatted("a"));
	}

	@Test
	void createWithoutOwner_isReported() throws Exception {
		call((primary) -> this.writer.create(secret(primary)), (options) -> options.owns(this.secrets));
		assertThat(this.log.text()).containsOnlyOnce("has written").contains("without its primary object");
	}

	@Test
	void ownerOfResourceThatIsNotOwned_isReportedOnce() throws Exception {
		call((primary) -> this.writer.apply(secret(primary), primary), (options) -> {
		});
		assertThat(this.log.text()).containsOnlyOnce("has written").contains(NOT_OWNED.formatted("a"));
	}

	@Test
	void ownedObject_isNotReported() throws Exception {
		call((primary) -> this.writer.apply(secret(primary), primary), (options) -> options.owns(this.secrets));
		assertThat(this.log.text()).isEmpty();
	}

	@Test
	void applyWithoutOwner_ofAnObjectThatHasIt_isNotReported() throws Exception {
		call((primary) -> {
			this.writer.withFieldManager("creator").apply(secret(primary), primary);
			this.writer.apply(secret(primary));
		}, (options) -> options.owns(this.secrets));
		assertThat(this.log.text()).isEmpty();
	}

	@Test
	void objectOfAnotherController_isNotReported() throws Exception {
		call((primary) -> {
			V1Secret secret = secret(primary);
			secret.getMetadata()
				.ownerReferences(List.of(new V1OwnerReference().apiVersion("v1")
					.kind("Namespace")
					.name("shop")
					.uid(this.kubernetes.get("namespaces", null, "shop").orElseThrow().at("/metadata/uid").asString())
					.controller(true)));
			this.writer.withFieldManager("other").apply(secret);
			this.writer.apply(secret(primary));
		}, (options) -> options.owns(this.secrets));
		assertThat(this.log.text()).isEmpty();
	}

	@Test
	void watchedResource_isNotReported() throws Exception {
		call((primary) -> {
			this.writer.apply(secret(primary));
			V1Secret owned = secret(primary);
			owned.getMetadata().setName("owned-" + owned.getMetadata().getName());
			this.writer.apply(owned, primary);
		}, (options) -> options.watches(this.secrets, (secret) -> List.of("shop/" + secret.getMetadata().getName())));
		assertThat(this.log.text()).isEmpty();
	}

	@Test
	void unrelatedResource_patches_andThePrimaryObject_areNotReported() throws Exception {
		SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);
		call((primary) -> {
			this.writer.apply(secret(primary));
			this.writer.apply(new V1ConfigMap()
				.metadata(new V1ObjectMeta().namespace("shop").name(primary.getMetadata().getName()))
				.data(Map.of("applied", "1")));
			this.writer.patch(primary, (copy) -> copy.putDataItem("patched", "1"));
		}, (options) -> options.owns(configMaps));
		assertThat(this.log.text()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void objectWithoutController_isAdopted_ifTheReconcilerAdopts(boolean adoption) throws Exception {
		this.kubernetes.create(new V1Secret().apiVersion("v1")
			.kind("Secret")
			.metadata(new V1ObjectMeta().namespace("shop").name("a")));
		V1ConfigMap another = this.writer
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("another")));
		List<String> refused = new CopyOnWriteArrayList<>();
		call((primary) -> {
			try {
				this.writer.apply(secret(primary), another);
			}
			catch (ObjectWriteException ex) {
				refused.add(ex.reason() + " of another");
			}
			try {
				this.writer.apply(secret(primary), primary);
			}
			catch (ObjectWriteException ex) {
				refused.add(ex.reason());
			}
		}, (options) -> options.owns(this.secrets).adoption(adoption));
		assertThat(refused).contains("NotOwned of another");
		assertThat(refused.contains("NotOwned")).isEqualTo(!adoption);
		assertThat(this.kubernetes.get("secrets", "shop", "a")
			.orElseThrow()
			.at("/metadata/ownerReferences/0/name")
			.asString()).isEqualTo(adoption ? "a" : "");
		assertThatExceptionOfType(ObjectWriteException.class).as("outside of a call")
			.isThrownBy(() -> this.writer.apply(unowned(), another));
	}

	private V1Secret unowned() {
		V1Secret unowned = new V1Secret().apiVersion("v1")
			.kind("Secret")
			.metadata(new V1ObjectMeta().namespace("shop").name("unowned"));
		this.kubernetes.create(unowned);
		return unowned;
	}

	private void call(Call call, Consumer<Builder<V1ConfigMap>> options) throws Exception {
		AtomicInteger calls = new AtomicInteger();
		ReconcilerRegistration registration = this.reconcilers.add(this.factory.informer(V1ConfigMap.class),
				(primary, context) -> {
					if (primary.getData() == null || !primary.getData().containsKey("patched")) {
						call.run(primary);
					}
					calls.incrementAndGet();
					return null;
				}, (builder) -> options.accept(builder.concurrency(1)));
		this.reconcilers.start();
		await().until(registration::hasSynced);
		for (String name : List.of("a", "b")) {
			int before = calls.get();
			this.kubernetes.create(TestObjects.configMap("shop", name));
			await().until(() -> calls.get() > before);
			assertThat(registration.awaitIdle(Duration.ofSeconds(30))).isTrue();
		}
	}

	private static V1Secret secret(V1ConfigMap primary) {
		return new V1Secret().metadata(new V1ObjectMeta().namespace("shop").name(primary.getMetadata().getName()));
	}

	@FunctionalInterface
	private interface Call {

		void run(V1ConfigMap primary) throws ApiException;

	}

}
