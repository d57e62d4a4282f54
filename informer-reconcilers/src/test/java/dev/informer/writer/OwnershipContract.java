/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.CapturedLog;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Contract of applies with an owner, whatever server decides.
 */
abstract class OwnershipContract {

	private static final Duration LONG = Duration.ofSeconds(30);

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final String namespace = "owners-" + Long.toString(System.nanoTime(), 36);

	private final Requests requests = new Requests();

	private CoreV1Api api = new CoreV1Api();

	private InformerFactory factory = InformerFactory.create(new ApiClient());

	private ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	abstract ApiClient newClient() throws IOException;

	@BeforeEach
	void start() throws Exception {
		this.log.setLevel(Level.INFO);
		this.factory.close();
		this.api = new CoreV1Api(newClient());
		this.api.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		ApiClient client = newClient();
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(this.requests).build());
		this.factory = InformerFactory.create(client);
		this.writer = ObjectWriter.of(this.factory, "tests");
	}

	@AfterEach
	void close() {
		this.factory.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void objectOfAnotherController_isRefused(boolean cached) throws Exception {
		V1ConfigMap first = owner("first");
		V1ConfigMap second = owner("second");
		SharedIndexInformer<V1ConfigMap> informer = cached ? informer() : null;
		V1ConfigMap taken = this.writer.apply(configMap("x", "1"), first);
		assertThat(informer == null || informer.awaitAtLeast(taken, LONG)).isTrue();
		this.requests.clear();
		for (ObjectWriter other : List.of(this.writer, this.writer.withFieldManager("other"),
				this.writer.withAdoption())) {
			refused(() -> other.apply(configMap("x", "2"), second), "OwnedByAnother",
					"it is controlled by ConfigMap 'first' (UID " + first.getMetadata().getUid()
							+ "). Derive the name of the object from its owner, so that no two owners share one.");
		}
		if (cached) {
			assertThat(this.requests.list()).isEmpty();
		}
		assertThat(stored("x")).isEqualTo(taken);
		refused(() -> this.writer.create(configMap("x", "2"), second), "AlreadyExists", "");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void objectWithoutController_isRefused_unlessAdopted(boolean cached) throws Exception {
		V1ConfigMap owner = owner("first");
		V1ConfigMap foreign = this.api.createNamespacedConfigMap(this.namespace, configMap("x", "foreign")).execute();
		SharedIndexInformer<V1ConfigMap> informer = cached ? informer() : null;
		refused(() -> this.writer.apply(configMap("x", "1"), owner), "NotOwned", "it exists without a controller. "
				+ "Use another name, delete the object, or use a writer with adoption.");
		assertThat(stored("x")).isEqualTo(foreign);
		V1ConfigMap adopted = this.writer.withAdoption().apply(configMap("x", "1"), owner);
		assertThat(adopted.getMetadata().getUid()).isEqualTo(foreign.getMetadata().getUid());
		assertThat(adopted.getMetadata().getOwnerReferences()).extracting(V1OwnerReference::getName)
			.containsExactly("first");
		assertThat(informer == null || informer.awaitAtLeast(adopted, LONG)).isTrue();
		this.writer.withAdoption().apply(configMap("x", "2"), owner);
		assertThat(this.writer.apply(configMap("x", "3"), owner).getData()).containsEntry("key", "3");
		assertThat(this.log.text()).containsOnlyOnce("Field manager 'tests' has adopted configmaps '" + this.namespace
				+ "/x', which existed without a controller");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void objectOfAFormerController_isAdopted_unlessTheOwnerControlsIt(boolean controlled) throws Exception {
		V1ConfigMap owner = owner("first");
		V1ConfigMap former = configMap("x", "1");
		former.getMetadata()
			.addOwnerReferencesItem(new V1OwnerReference().apiVersion("v1")
				.kind("ConfigMap")
				.name("first")
				.uid(owner.getMetadata().getUid())
				.controller(controlled ? true : null));
		this.api.createNamespacedConfigMap(this.namespace, former).execute();
		if (!controlled) {
			refused(() -> this.writer.apply(configMap("x", "2"), owner), "NotOwned", "it exists without a controller");
		}
		V1ConfigMap applied = (controlled ? this.writer : this.writer.withAdoption()).apply(configMap("x", "2"), owner);
		assertThat(applied.getData()).containsEntry("key", "2");
		assertThat(applied.getMetadata().getOwnerReferences()).singleElement()
			.returns(owner.getMetadata().getUid(), V1OwnerReference::getUid)
			.returns(true, V1OwnerReference::getController);
	}

	@Test
	void fieldOfAnUpdate_staysWithoutAnApply_untilItIsPatched() throws Exception {
		V1ConfigMap both = configMap("x", "1").data(Map.of("key", "1", "former", "1"));
		this.api.createNamespacedConfigMap(this.namespace, both).execute();
		this.writer.apply(both);
		V1ConfigMap applied = this.writer.apply(configMap("x", "2"));
		assertThat(applied.getData()).isEqualTo(Map.of("key", "2", "former", "1"));
		this.writer.patch(applied, (object) -> object.getData().remove("former"));
		assertThat(this.writer.apply(configMap("x", "3")).getData()).isEqualTo(Map.of("key", "3"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void fieldOfAnApply_isRemoved_ifTheManagerHasTheSameName(boolean same) throws Exception {
		this.writer.withFieldManager("former").apply(configMap("x", "1").data(Map.of("key", "1", "former", "1")));
		ObjectWriter next = ObjectWriter.of(this.factory, same ? "former" : "next");
		assertThat(next.apply(configMap("x", "2")).getData())
			.containsOnlyKeys(same ? List.of("key") : List.of("key", "former"));
	}

	@Test
	void serviceOfTheServer_isRefused() throws Exception {
		V1ConfigMap owner = this.api
			.createNamespacedConfigMap("default", new V1ConfigMap().metadata(new V1ObjectMeta().name(this.namespace)))
			.execute();
		V1Service service = new V1Service().metadata(new V1ObjectMeta().namespace("default").name("kubernetes"))
			.spec(new V1ServiceSpec().addPortsItem(new V1ServicePort().port(80)));
		if (this.api.listNamespacedService("default").execute().getItems().isEmpty()) {
			this.api.createNamespacedService("default", service).execute();
		}
		refused(() -> this.writer.apply(service, owner), "NotOwned", "it exists without a controller");
	}

	@Test
	void appliesOfACachedResource_sendOneRequest() throws Exception {
		V1ConfigMap owner = owner("first");
		SharedIndexInformer<V1ConfigMap> informer = informer();
		this.requests.clear();
		assertThat(informer.awaitAtLeast(this.writer.apply(configMap("x", "1"), owner), LONG)).isTrue();
		this.writer.apply(configMap("x", "1"), owner);
		assertThat(informer.awaitAtLeast(this.writer.apply(configMap("x", "2"), owner), LONG)).isTrue();
		ObjectWriter restarted = ObjectWriter.of(this.factory, "tests");
		restarted.apply(configMap("x", "2"), owner);
		assertThat(this.requests.list()).containsExactly("PATCH 201", "PATCH 200", "PATCH 200");
	}

	@Test
	void appliesOfAnotherResource_askForTheObject() throws Exception {
		V1ConfigMap owner = owner("first");
		this.requests.clear();
		this.writer.apply(configMap("x", "1"), owner);
		assertThat(this.requests.list()).containsExactly("PATCH 201");
		this.requests.clear();
		this.writer.apply(configMap("x", "2"), owner);
		assertThat(this.requests.list()).containsExactly("GET 200", "PATCH 200");
		this.requests.clear();
		ObjectWriter.of(this.factory, "tests").apply(configMap("x", "2"), owner);
		assertThat(this.requests.list()).containsExactly("PATCH 409", "GET 200", "PATCH 200");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void cacheThatIsOld_isNoReasonToTakeAnObject(boolean recreated) throws Exception {
		V1ConfigMap owner = owner("first");
		SharedIndexInformer<V1ConfigMap> informer = informer();
		assertThat(informer.awaitAtLeast(this.writer.apply(configMap("x", "1"), owner), LONG)).isTrue();
		this.requests.beforePatch(() -> {
			this.api.deleteNamespacedConfigMap("x", this.namespace).execute();
			if (recreated) {
				this.api.createNamespacedConfigMap(this.namespace, configMap("x", "foreign")).execute();
			}
			return null;
		});
		if (recreated) {
			refused(() -> this.writer.apply(configMap("x", "2"), owner), "NotOwned", "it exists without a controller");
			assertThat(stored("x").getData()).containsEntry("key", "foreign");
		}
		else {
			assertThat(this.writer.apply(configMap("x", "2"), owner).getData()).containsEntry("key", "2");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void objectThatIsReleased_isNotTakenBack_unlessAdopted(boolean cached) throws Exception {
		V1ConfigMap owner = owner("first");
		SharedIndexInformer<V1ConfigMap> informer = cached ? informer() : null;
		V1ConfigMap applied = this.writer.apply(configMap("x", "1"), owner);
		assertThat(informer == null || informer.awaitAtLeast(applied, LONG)).isTrue();
		this.requests.beforePatch(() -> {
			V1ConfigMap released = stored("x");
			released.getMetadata().setOwnerReferences(null);
			return this.api.replaceNamespacedConfigMap("x", this.namespace, released).execute();
		});
		refused(() -> this.writer.apply(configMap("x", "2"), owner), "NotOwned", "it exists without a controller");
		assertThat(stored("x").getData()).containsEntry("key", "1");
		assertThat(this.writer.withAdoption().apply(configMap("x", "2"), owner).getData()).containsEntry("key", "2");
	}

	@Test
	void objectThatOthersChange_isAppliedWhatTheCacheHas() throws Exception {
		V1ConfigMap owner = owner("first");
		SharedIndexInformer<V1ConfigMap> informer = informer();
		assertThat(informer.awaitAtLeast(this.writer.apply(configMap("x", "1"), owner), LONG)).isTrue();
		this.requests.beforePatch(() -> {
			V1ConfigMap changed = stored("x");
			changed.getMetadata().putLabelsItem("other", "label");
			return this.api.replaceNamespacedConfigMap("x", this.namespace, changed).execute();
		});
		V1ConfigMap answer = this.writer.apply(configMap("x", "2"), owner);
		assertThat(answer.getData()).containsEntry("key", "2");
		assertThat(answer.getMetadata().getLabels()).containsEntry("other", "label");
	}

	@Test
	void objectThatAppears_isNotTaken() throws Exception {
		V1ConfigMap owner = owner("first");
		informer();
		this.requests
			.beforePatch(() -> this.api.createNamespacedConfigMap(this.namespace, configMap("x", "foreign")).execute());
		refused(() -> this.writer.apply(configMap("x", "2"), owner), "NotOwned", "it exists without a controller");
		assertThat(stored("x").getData()).containsEntry("key", "foreign");
	}

	@Test
	void controllerThatATransformRemoves_isReadFromTheServer() throws Exception {
		V1ConfigMap owner = owner("first");
		SharedIndexInformer<V1ConfigMap> informer = this.factory.informer(V1ConfigMap.class);
		informer.setTransform((object) -> {
			object.getMetadata().setOwnerReferences(null);
			return object;
		});
		informer.start();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		assertThat(informer.awaitAtLeast(this.writer.apply(configMap("x", "1"), owner), LONG)).isTrue();
		assertThat(this.writer.apply(configMap("x", "2"), owner).getData()).containsEntry("key", "2");
		refused(() -> this.writer.apply(configMap("x", "3"), owner("second")), "OwnedByAnother", "ConfigMap 'first'");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void oneOfManyOwners_getsTheObject(boolean existing) throws Exception {
		if (existing) {
			this.api.createNamespacedConfigMap(this.namespace, configMap("x", "foreign")).execute();
		}
		ObjectWriter own = this.writer.withAdoption();
		List<Callable<String>> applies = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			V1ConfigMap owner = owner("owner-" + i);
			applies.add(() -> {
				try {
					own.apply(configMap("x", owner.getMetadata().getName()), owner);
					return "won";
				}
				catch (ObjectWriteException ex) {
					return ex.reason();
				}
			});
		}
		ExecutorService threads = Executors.newFixedThreadPool(applies.size());
		try {
			List<String> results = new ArrayList<>();
			for (Future<String> result : threads.invokeAll(applies)) {
				results.add(result.get());
			}
			assertThat(results).containsOnlyOnce("won").containsOnly("won", "OwnedByAnother");
		}
		finally {
			threads.shutdown();
		}
		V1ConfigMap stored = stored("x");
		assertThat(stored.getMetadata().getOwnerReferences()).extracting(V1OwnerReference::getName)
			.containsExactly(stored.getData().get("key"));
	}

	private void refused(ThrowingCallable write, String reason, String message) {
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(write)
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(reason))
			.satisfies((ex) -> assertThat(ex.isConflict()).isFalse());
	}

	private SharedIndexInformer<V1ConfigMap> informer() throws InterruptedException {
		SharedIndexInformer<V1ConfigMap> informer = this.factory.informer(V1ConfigMap.class);
		informer.start();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		return informer;
	}

	private V1ConfigMap owner(String name) throws ApiException {
		return this.api.createNamespacedConfigMap(this.namespace, configMap(name, "owner")).execute();
	}

	private V1ConfigMap stored(String name) throws ApiException {
		return this.api.readNamespacedConfigMap(name, this.namespace).execute();
	}

	private V1ConfigMap configMap(String name, String value) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace(this.namespace).name(name))
			.data(Map.of("key", value));
	}

	/**
	 * Requests of writers, and what happens before the next write.
	 */
	private static final class Requests implements Interceptor {

		private final List<String> requests = new ArrayList<>();

		private Callable<?> before = () -> "nothing";

		synchronized void beforePatch(Callable<?> action) {
			this.before = action;
		}

		synchronized void clear() {
			this.requests.clear();
		}

		synchronized List<String> list() {
			return List.copyOf(this.requests);
		}

		private synchronized Callable<?> next() {
			Callable<?> next = this.before;
			this.before = () -> "nothing";
			return next;
		}

		@Override
		public Response intercept(Chain chain) throws IOException {
			Request request = chain.request();
			boolean list = request.method().equals("GET") && request.url().queryParameter("fieldSelector") == null;
			if (list) {
				return chain.proceed(request);
			}
			if (request.method().equals("PATCH")) {
				try {
					next().call();
				}
				catch (Exception ex) {
					throw new IOException(ex);
				}
			}
			Response response = chain.proceed(request);
			synchronized (this) {
				this.requests.add(request.method() + " " + response.code());
			}
			return response;
		}

	}

}
