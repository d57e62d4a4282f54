/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.reconcilers.KeyQueue.Hold.Progress;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NamespaceSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OwnWrite}.
 */
class OwnWriteTests {

	private static final ResourceType<V1Namespace> NAMESPACES = ResourceType.of(V1Namespace.class);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory factory = InformerFactory
		.create(new ClientBuilder().setBasePath(this.kubernetes.url()).build());

	private final SharedIndexInformer<V1Namespace> namespaces = this.factory.informer(V1Namespace.class);

	@AfterEach
	void close() {
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void markedNamespace_isNotAwaitedUntilItIsGone() {
		V1Namespace marked = new V1Namespace().spec(new V1NamespaceSpec().addFinalizersItem("kubernetes"))
			.metadata(new V1ObjectMeta().name("a")
				.uid("1")
				.resourceVersion("7")
				.deletionTimestamp(OffsetDateTime.parse("2026-01-01T00:00:00Z")));
		assertThat(written(marked)).isEqualTo("namespaces a at version 7 in informer 'namespaces'");
		marked.getSpec().setFinalizers(List.of());
		assertThat(written(marked)).isEqualTo("namespaces a to be deleted in informer 'namespaces'");
		marked.getMetadata().addFinalizersItem("example.com/a");
		assertThat(written(marked)).isEqualTo("namespaces a at version 7 in informer 'namespaces'");
	}

	@Test
	void deletion_isThatOfTheMark_whileFinalizersAreInTheSpec() {
		assertThat(deleted("""
				{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a","uid":"1","resourceVersion":"9",
				"deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"finalizers":["kubernetes"]}}"""))
			.isEqualTo("namespaces a at version 9 in informer 'namespaces'");
		assertThat(deleted("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}"))
			.isEqualTo("namespaces a to be deleted in informer 'namespaces'");
	}

	@Test
	void deletionOfWhatTheInformerDoesNotSelect_isNotAwaited() {
		SharedIndexInformer<V1Namespace> managed = this.factory.informer(V1Namespace.class,
				(options) -> options.name("managed").labelSelector("managed"));
		for (String answer : List.of("{\"kind\":\"Status\"}", """
				{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a","uid":"1","resourceVersion":"9",
				"deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"finalizers":["kubernetes"]}}""")) {
			assertThat(deleted(managed, answer).progress()).isEqualTo(Progress.REACHED);
			assertThat(deleted(this.namespaces, answer).progress()).isEqualTo(Progress.WAITING);
		}
	}

	@Test
	void writeInANamespaceThatNoInformerHas_isHidden_andNotAwaited() {
		ResourceType<V1ConfigMap> configMaps = ResourceType.of(V1ConfigMap.class);
		SharedIndexInformer<V1ConfigMap> shop = this.factory.informer(V1ConfigMap.class,
				(options) -> options.name("shop").namespaces("shop"));
		SharedIndexInformer<V1ConfigMap> bank = this.factory.informer(V1ConfigMap.class,
				(options) -> options.name("bank").namespaces("bank"));
		for (String namespace : List.of("shop", "elsewhere")) {
			OwnWrites writes = new OwnWrites(List.of(shop, bank), null);
			writes.written(Operation.CREATE, configMaps, new V1ConfigMap()
				.metadata(new V1ObjectMeta().namespace(namespace).name("a").uid("1").resourceVersion("7")));
			boolean seen = namespace.equals("shop");
			assertThat(writes.writes()).hasSize(seen ? 1 : 2).allSatisfy((write) -> {
				assertThat(write.isHidden()).isEqualTo(!seen);
				assertThat(write.progress()).isEqualTo(seen ? Progress.WAITING : Progress.REACHED);
			});
		}
	}

	@Test
	void write_isThatOfInformersThatTheCallReads() {
		OwnWrites writes = new OwnWrites(Set.of(), null);
		writes.written(Operation.UPDATE, NAMESPACES,
				new V1Namespace().metadata(new V1ObjectMeta().name("a").resourceVersion("7")));
		assertThat(writes.writes()).isEmpty();
	}

	@Test
	void stoppedInformer_isAwaited() throws Exception {
		this.factory.start();
		assertThat(this.factory.awaitSynced(Duration.ofSeconds(30))).isTrue();
		this.namespaces.stop(Duration.ZERO);
		assertThat(written(new V1Namespace().metadata(new V1ObjectMeta().name("a").resourceVersion("1"))))
			.startsWith("namespaces a at version 1");
	}

	private String written(V1Namespace answer) {
		OwnWrites writes = new OwnWrites(List.of(this.namespaces), null);
		writes.written(Operation.UPDATE, NAMESPACES, answer);
		return writes.writes().get(0).toString();
	}

	private String deleted(String answer) {
		return deleted(this.namespaces, answer).toString();
	}

	private static OwnWrite deleted(SharedIndexInformer<?> informer, String answer) {
		OwnWrites writes = new OwnWrites(List.of(informer), null);
		V1Namespace read = new V1Namespace().metadata(new V1ObjectMeta().name("a").uid("1").resourceVersion("5"));
		writes.deleted(NAMESPACES, read, answer.getBytes(StandardCharsets.UTF_8));
		return writes.writes().get(0);
	}

}
