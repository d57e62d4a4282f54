/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.client.ResourceType;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.testing.EmbeddedConfigMaps;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeTime;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for objects of which bits change between the server and the informer.
 */
@ParameterizedClass
@EnumSource(Encoding.class)
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class CorruptedObjectsTests {

	private final FakeTime time = FakeTime.manual();

	private final EmbeddedConfigMaps maps = new EmbeddedConfigMaps();

	private final TcpProxy proxy = new TcpProxy(URI.create(this.maps.kubernetes().url()));

	private final InformerRecorder recorder = new InformerRecorder();

	private final EventLog<V1ConfigMap> log = new EventLog<>();

	private final InformerFactory informers;

	CorruptedObjectsTests(Encoding encoding) throws IOException {
		this.informers = this.recorder.factory(new ApiClient().setBasePath(this.proxy.url()), this.time,
				(options) -> options.encoding(encoding));
	}

	@AfterEach
	void close() throws IOException {
		this.informers.close();
		this.proxy.close();
		this.maps.close();
	}

	@ParameterizedTest
	@CsvSource({ "victim-1, vict/m-1", "victim-1, vict%m-1", "shop, SHOP", "shop, sh.p", "shop, -hop" })
	void event_nameOrNamespaceIsInvalid_isUndecodable(String text, String replacement) throws Exception {
		this.maps.create("bank", "good", "1");
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.proxy.corrupt(text, replacement);
		this.maps.create("shop", "victim-1", "1");
		awaitUndecodable();
		assertThat(informer.lister().keys()).containsExactly("bank/good");
		awaitAgreementWithinAMinute(informer);
	}

	@ParameterizedTest
	@CsvSource({ "victim-1, vict/m-1", "shop, SHOP" })
	void list_nameOrNamespaceIsInvalid_isUndecodable(String text, String replacement) throws Exception {
		this.maps.create("bank", "good", "1");
		this.maps.create("shop", "victim-1", "1");
		this.proxy.corrupt(text, replacement);
		SharedIndexInformer<V1ConfigMap> informer = start("");
		awaitUndecodable();
		assertThat(informer.lister().keys()).containsExactly("bank/good");
		awaitAgreementWithinAMinute(informer);
	}

	@Test
	void list_nameIsInvalid_deletesNothing() throws Exception {
		this.maps.create("shop", "victim-1", "1");
		this.maps.create("shop", "good", "1");
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.proxy.corrupt("victim-1", "vict/m-1");
		informer.relist();
		awaitUndecodable();
		this.maps.awaitAgreement(informer, this.log);
		assertThat(this.log.story()).containsExactlyInAnyOrder("ADDED shop/victim-1", "ADDED shop/good");
	}

	@Test
	void list_staysCorrupted_isRepeatedOnce() throws Exception {
		this.maps.create("shop", "victim-1", "1");
		this.proxy.corrupt("victim-1", "vict/m-1");
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.time.advance(Duration.ofMinutes(1));
		await().until(() -> this.recorder.relists().contains(RelistReason.ROLLBACK)
				&& informer.state().phase() == Phase.WATCHING);
		this.time.advance(Duration.ofMinutes(2));
		this.maps.create("bank", "good", "1");
		await().until(() -> informer.lister().keys().equals(List.of("bank/good")));
		assertThat(this.recorder.relists()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void otherNamespaceThanTheListedOne_isUndecodable(boolean list) throws Exception {
		if (list) {
			this.maps.create("shop", "victim-1", "1");
			this.proxy.corrupt("shop", "shoq");
		}
		SharedIndexInformer<V1ConfigMap> informer = start("shop");
		if (!list) {
			this.proxy.corrupt("shop", "shoq");
			this.maps.create("shop", "victim-1", "1");
		}
		awaitUndecodable();
		assertThat(informer.lister().keys()).isEmpty();
		awaitAgreementWithinAMinute(informer);
	}

	@Test
	void withoutNamespace_isUndecodable() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = start("");
		boolean json = informer.encoding().orElseThrow().equals("json");
		// another name of the property, another number of the field
		this.proxy.corrupt(json ? "\"namespace\"" : "\u001a\u0004shop", json ? "\"namespacf\"" : "\u007a\u0004shop");
		this.maps.create("shop", "victim-1", "1");
		awaitUndecodable();
		assertThat(informer.lister().keys()).isEmpty();
		awaitAgreementWithinAMinute(informer);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "a/b", "a%b", "a\\u0001b", "a\\u007fb", "LONG" })
	void nameIsNoSegmentOfAPath_isUndecodable(String name) throws Exception {
		this.maps.create("shop", "victim-1", "1");
		this.maps.kubernetes()
			.faults()
			.always(Verb.LIST, "configmaps",
					Fault.replaced("\"victim-1\"", "\"" + name.replace("LONG", "x".repeat(254)) + "\""));
		SharedIndexInformer<DynamicKubernetesObject> untyped = this.informers.informer(
				ResourceType.dynamic("", "v1", "configmaps", "ConfigMap", true), (options) -> options.name("untyped"));
		SharedIndexInformer<V1ConfigMap> informer = start("");
		await().until(() -> this.recorder.failureKinds()
			.stream()
			.filter((kind) -> kind == Kind.UNDECODABLE_OBJECT)
			.count() == 2);
		assertThat(informer.lister().keys()).isEmpty();
		assertThat(untyped.lister().keys()).isEmpty();
	}

	@Test
	void clusterScoped_nameThatIsNoLabel_isCached() throws Exception {
		this.maps.kubernetes()
			.faults()
			.always(Verb.LIST, "namespaces", Fault.replaced("\"name\":\"shop\"", "\"name\":\"system:Shop name\""));
		SharedIndexInformer<V1Namespace> namespaces = this.informers.informer(V1Namespace.class);
		start("");
		await().until(() -> namespaces.state().phase() == Phase.WATCHING);
		assertThat(namespaces.lister().keys()).contains("system:Shop name", "bank").doesNotContain("shop");
		assertThat(this.recorder.failureKinds()).isEmpty();
	}

	@Test
	void clusterScoped_withNamespace_isUndecodable() throws Exception {
		this.maps.kubernetes()
			.faults()
			.always(Verb.LIST, "namespaces", Fault.replaced("\"name\":\"shop\"", "\"name\":\"x\",\"namespace\":\"y\""));
		SharedIndexInformer<V1Namespace> namespaces = this.informers.informer(V1Namespace.class);
		start("");
		await().until(() -> namespaces.state().phase() == Phase.WATCHING);
		assertThat(namespaces.lister().keys()).contains("bank").doesNotContain("y/x");
		awaitUndecodable();
	}

	@Test
	void malformedEvent_objectsAreComparedWithinAMinute() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.proxy.corrupt("victim-1", "victim-2");
		this.maps.create("shop", "victim-1", "1");
		await().until(() -> informer.lister().keys().equals(List.of("shop/victim-2")));
		this.proxy.corrupt("ADDED", "ADXED");
		this.maps.create("shop", "good", "1");
		await().until(() -> this.recorder.failureKinds().contains(Kind.MALFORMED_RESPONSE));
		awaitAgreementWithinAMinute(informer);
	}

	@Test
	void undecodableEvent_objectsAreComparedWithinAMinute() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.proxy.corrupt("victim-1", "victim-2");
		this.maps.create("shop", "victim-1", "1");
		await().until(() -> informer.lister().keys().equals(List.of("shop/victim-2")));
		boolean json = informer.encoding().orElseThrow().equals("json");
		this.proxy.corrupt(json ? "\"data\":{" : "changed", json ? "\"data\"::" : "\u00ffhanged");
		this.maps.create("shop", "good", "changed");
		awaitUndecodable();
		awaitAgreementWithinAMinute(informer);
	}

	@Test
	void modification_nameIsThatOfNoObject_isUndecodable() throws Exception {
		this.maps.create("shop", "victim-1", "1");
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.proxy.corrupt("victim-1", "victim-2");
		this.maps.change("shop", "victim-1", "2");
		awaitUndecodable();
		assertThat(informer.lister().keys()).containsExactly("shop/victim-1");
		awaitVersionsWithinAMinute(informer);
		assertThat(this.log.story()).startsWith("ADDED shop/victim-1").noneMatch((event) -> event.contains("victim-2"));
	}

	@Test
	void deletion_nameIsThatOfNoObject_isDeliveredWithinAMinute() throws Exception {
		this.maps.create("shop", "victim-1", "1");
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.proxy.corrupt("victim-1", "victim-2");
		this.maps.delete("shop", "victim-1");
		awaitUndecodable();
		awaitVersionsWithinAMinute(informer);
		assertThat(this.log.story()).containsExactly("ADDED shop/victim-1", "DELETED shop/victim-1");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void change_nameIsThatOfAnotherObject_affectsNeitherOfThem(boolean deletion) throws Exception {
		this.maps.create("shop", "victim-1", "1");
		this.maps.create("shop", "victim-2", "1");
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.proxy.corrupt("victim-1", "victim-2");
		if (deletion) {
			this.maps.delete("shop", "victim-1");
		}
		else {
			this.maps.change("shop", "victim-1", "2");
		}
		awaitUndecodable();
		awaitVersionsWithinAMinute(informer);
		assertThat(this.log.story()).filteredOn((event) -> event.contains("victim-2"))
			.containsExactly("ADDED shop/victim-2");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void changeOfAnObjectThatIsCachedUnderAnotherName_removesThatWithinAMinute(boolean deletion) throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.proxy.corrupt("victim-1", "victim-2");
		this.maps.create("shop", "victim-1", "1");
		await().until(() -> informer.lister().keys().equals(List.of("shop/victim-2")));
		this.proxy.corrupt("", "");
		if (deletion) {
			this.maps.delete("shop", "victim-1");
		}
		else {
			this.maps.change("shop", "victim-1", "2");
		}
		awaitUndecodable();
		awaitVersionsWithinAMinute(informer);
	}

	@Test
	void list_nameIsThatOfNoObject_objectsAreComparedWithinAMinute() throws Exception {
		this.maps.create("shop", "victim-1", "1");
		SharedIndexInformer<V1ConfigMap> informer = start("");
		this.proxy.corrupt("victim-1", "victim-2");
		informer.relist();
		await().until(() -> informer.lister().keys().equals(List.of("shop/victim-2"))
				&& informer.state().phase() == Phase.WATCHING);
		awaitVersionsWithinAMinute(informer);
	}

	@Test
	void modificationOfAnObjectThatCouldNotBeDecoded_isNoReasonToCompare() throws Exception {
		this.maps.create("shop", "victim-1", "1");
		this.maps.kubernetes().faults().always(Verb.LIST, "configmaps", Fault.replaced("\"key\":\"1\"", "\"key\":[]"));
		SharedIndexInformer<V1ConfigMap> informer = start("");
		assumeThat(informer.encoding()).hasValue("json");
		awaitUndecodable();
		this.maps.kubernetes().faults().clear();
		this.maps.change("shop", "victim-1", "2");
		await().until(() -> informer.lister().keys().equals(List.of("shop/victim-1")));
		this.time.advance(Duration.ofMinutes(1));
		this.maps.create("bank", "good", "1");
		this.maps.awaitAgreement(informer, this.log);
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.UNDECODABLE_OBJECT);
		assertThat(this.recorder.relists()).isEmpty();
	}

	private void awaitVersionsWithinAMinute(SharedIndexInformer<V1ConfigMap> informer) {
		awaitAgreementWithinAMinute(informer);
		await().untilAsserted(() -> {
			this.time.advance(Duration.ofMillis(10));
			assertThat(informer.lister().list())
				.extracting((map) -> Objects.requireNonNull(map.getMetadata()).getResourceVersion())
				.containsExactlyInAnyOrderElementsOf(this.maps.versions().values());
		});
		await().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(this.maps.versions()));
	}

	/**
	 * Wait for the existing objects. Their events may be those of an object that was
	 * cached under another name, too.
	 */
	private void awaitAgreementWithinAMinute(SharedIndexInformer<V1ConfigMap> informer) {
		this.proxy.corrupt("", "");
		this.time.advance(Duration.ofSeconds(55));
		await().untilAsserted(() -> {
			// backoffs, and the second after which a watch is proven
			this.time.advance(Duration.ofMillis(10));
			assertThat(informer.lister().keys()).containsExactlyInAnyOrderElementsOf(this.maps.versions().keySet());
		});
	}

	private SharedIndexInformer<V1ConfigMap> start(String namespace) throws InterruptedException {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class, (options) -> {
			if (!namespace.isEmpty()) {
				options.namespaces(namespace);
			}
		});
		informer.addHandler(this.log);
		this.informers.start();
		assertThat(this.informers.awaitSynced(Duration.ofSeconds(60))).isTrue();
		await().until(() -> informer.state().phase() == Phase.WATCHING);
		return informer;
	}

	private void awaitUndecodable() {
		await().until(() -> this.recorder.failureKinds().contains(Kind.UNDECODABLE_OBJECT));
	}

}
