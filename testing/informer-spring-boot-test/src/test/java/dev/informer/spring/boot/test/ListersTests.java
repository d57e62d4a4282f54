/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test;

import java.util.List;
import java.util.Map;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.TestObjects.onNode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Listers}.
 */
class ListersTests {

	private final V1Pod one = pod("shop", "one", "node-a");

	private final V1Pod two = pod("shop", "two", null);

	private final V1Pod other = pod("billing", "one", "node-a");

	@Test
	void objects_areFoundByNameAndNamespace() {
		Lister<V1Pod> pods = Listers.of(this.one, this.two, this.other);
		assertThat(pods.get("shop", "one")).containsSame(this.one);
		assertThat(pods.get("shop", "three")).isEmpty();
		assertThat(pods.get("one")).isEmpty();
		assertThat(pods.list()).containsExactly(this.one, this.two, this.other);
		assertThat(pods.list("shop")).containsExactly(this.one, this.two);
		assertThat(pods.keys()).containsExactly("shop/one", "shop/two", "billing/one");
		assertThat(pods.size()).isEqualTo(3);
		assertThat(Listers.of(List.<V1Pod>of()).list()).isEmpty();
	}

	@Test
	void clusterScopedObjects_areFoundByName() {
		V1Node node = new V1Node().metadata(new V1ObjectMeta().name("node-a"));
		assertThat(Listers.of(node).get("node-a")).containsSame(node);
		assertThat(Listers.of(node).indexValues(Lister.NAMESPACE_INDEX)).isEmpty();
	}

	@Test
	void metadataOfObjects_isFoundByName() {
		PartialObjectMetadata metadata = new PartialObjectMetadata(
				new V1ObjectMeta().namespace("shop").name("one").labels(Map.of("tier", "web")));
		Lister<PartialObjectMetadata> pods = Listers.of(metadata);
		assertThat(pods.get("shop", "one")).contains(metadata);
		assertThat(pods.byIndex(Lister.LABEL_INDEX, "tier=web")).containsExactly(metadata);
	}

	@Test
	void builtInIndices_areAvailable() {
		this.one.getMetadata().labels(Map.of("tier", "web"));
		this.two.getMetadata().addOwnerReferencesItem(new V1OwnerReference().uid("owner"));
		Lister<V1Pod> pods = Listers.of(this.one, this.two, this.other);
		assertThat(pods.byIndex(Lister.LABEL_INDEX, "tier=web")).containsExactly(this.one);
		assertThat(pods.byIndex(Lister.OWNER_INDEX, "owner")).containsExactly(this.two);
		assertThat(pods.indexValues(Lister.NAMESPACE_INDEX)).containsExactly("shop", "billing");
	}

	@Test
	void customIndices_areAvailable() {
		Lister<V1Pod> pods = Listers.withIndex("node", ListersTests::node)
			.andMultiValueIndex("letters", (pod) -> List.of(pod.getMetadata().getName().split("")))
			.of(this.one, this.two, this.other);
		assertThat(pods.byIndex("node", "node-a")).containsExactly(this.one, this.other);
		assertThat(pods.index("node", pod("new", "new", "node-a"))).containsExactly(this.one, this.other);
		assertThat(pods.index("letters", this.two)).containsExactly(this.two, this.one, this.other);
		assertThat(pods.indexKeys("node", "node-a")).containsExactly("billing/one", "shop/one");
		assertThat(pods.indexValues("node")).containsExactly("node-a");
		assertThatIllegalArgumentException().isThrownBy(() -> pods.byIndex("nodes", "node-a"))
			.withMessage("Unknown index 'nodes'. Known indices: [label, letters, namespace, node, owner]");
	}

	@Test
	void multiValueIndex_isAvailableWithoutAnother() {
		IndexFunction<V1Pod> letters = (pod) -> List.of(pod.getMetadata().getName().split(""));
		assertThat(Listers.withMultiValueIndex("letters", letters).of(this.two, this.other).byIndex("letters", "t"))
			.containsExactly(this.two);
	}

	@Test
	void results_areSnapshots() {
		List<V1Pod> pods = Listers.of(this.one).list();
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> pods.add(this.two));
	}

	@Test
	void duplicateOrUnnamedObject_isRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> Listers.of(this.one, pod("shop", "one", null)))
			.withMessage("Cannot create the lister: two objects have the key 'shop/one'. Give them different names.");
		assertThatIllegalArgumentException().isThrownBy(() -> Listers.of(new V1Pod()))
			.withMessage("Cannot create the lister: an object of type V1Pod has no metadata.name. Set one.");
	}

	private static @Nullable String node(V1Pod pod) {
		return pod.getSpec().getNodeName();
	}

	private static V1Pod pod(String namespace, String name, @Nullable String node) {
		return onNode(TestObjects.pod(namespace, name), node);
	}

}
