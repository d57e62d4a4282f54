/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import okhttp3.Interceptor;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for holds whose writes an etcd restore undoes, or that are deletions of
 * namespaces, with a real API server.
 */
@Timeout(300)
class RealHoldTests {

	private static final String FINALIZER = "example.com/hold";

	private final HeldWatches watches = new HeldWatches();

	private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

	@Test
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void deletionThatARestoreUndoes_isFollowedByCalls(RealServer server) throws Exception {
		String namespace = namespace(server);
		AtomicBoolean deleting = new AtomicBoolean();
		try (InformerFactory factory = InformerFactory.create(this.watches.applyTo(client(server), "/secrets"));
				Reconcilers reconcilers = Reconcilers.of(factory, ObjectWriter.of(factory, "tests"))) {
			ObjectWriter writer = ObjectWriter.of(factory, "tests");
			ReconcilerRegistration registration = reconcilers.add(configMaps(factory, namespace),
					(primary, context) -> {
						List<V1Secret> owned = context.owned(V1Secret.class).list();
						this.calls.add(owned.size() + " " + value(primary));
						if (deleting.get()) {
							writer.delete(owned.get(0));
						}
						return null;
					}, (options) -> options
						.owns(factory.informer(V1Secret.class, (secrets) -> secrets.namespaces(namespace))));
			V1ConfigMap owner = writer.create(configMap(namespace));
			writer.create(new V1Secret().metadata(new V1ObjectMeta().namespace(namespace).name("owned")), owner);
			reconcilers.start();
			awaitExternal().until(() -> this.calls.contains("1 null"));
			assertThat(registration.awaitIdle(Duration.ofMinutes(1))).isTrue();
			server.requireControlPlane().backUpEtcd();
			undo(server, () -> {
				this.calls.clear();
				deleting.set(true);
				assertThat(registration.request(namespace, "primary")).isTrue();
				awaitExternal().until(() -> isGone(server, namespace));
				awaitExternal().until(() -> registration.calls().isEmpty());
				deleting.set(false);
			});
			awaitExternal().until(() -> this.calls.size() > 1);
			assertThat(this.calls.get(this.calls.size() - 1)).isEqualTo("1 null");
			change(server, namespace);
			awaitExternal().until(() -> this.calls.contains("1 changed"));
		}
	}

	@Test
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void endOfAFinalizerThatARestoreUndoes_isFollowedByACleanup(RealServer server) throws Exception {
		String namespace = namespace(server);
		AtomicInteger cleanups = new AtomicInteger();
		AtomicBoolean permitted = new AtomicBoolean();
		try (InformerFactory factory = InformerFactory.create(this.watches.applyTo(client(server), "/configmaps"));
				Reconcilers reconcilers = Reconcilers.of(factory, ObjectWriter.of(factory, "tests"))) {
			SharedIndexInformer<V1ConfigMap> primaries = configMaps(factory, namespace);
			ReconcilerRegistration registration = reconcilers.add(primaries, (primary, context) -> {
				this.calls.add("reconcile");
				return null;
			}, (options) -> options.cleanup(FINALIZER, (primary, context) -> {
				if (!permitted.get()) {
					return Duration.ofDays(1);
				}
				cleanups.incrementAndGet();
				return null;
			}));
			reconcilers.start();
			CoreV1Api core = new CoreV1Api(client(server));
			core.createNamespacedConfigMap(namespace, configMap(namespace)).execute();
			awaitExternal().until(() -> this.calls.size() == 1);
			core.deleteNamespacedConfigMap("primary", namespace).execute();
			awaitExternal().until(() -> primaries.lister()
				.get(namespace, "primary")
				.filter((cached) -> cached.getMetadata().getDeletionTimestamp() != null)
				.isPresent());
			awaitExternal().until(() -> registration.counts().scheduled() == 1);
			server.requireControlPlane().backUpEtcd();
			undo(server, () -> {
				permitted.set(true);
				assertThat(registration.request(namespace, "primary")).isTrue();
				awaitExternal().until(() -> cleanups.get() == 1);
				awaitExternal().until(() -> registration.calls().isEmpty());
			});
			awaitExternal().until(() -> cleanups.get() == 2);
			awaitExternal().until(() -> primaries.lister().get(namespace, "primary").isEmpty());
		}
	}

	/** Nothing ends the namespace: there is no controller of namespaces. */
	@ParameterizedTest
	@ValueSource(strings = { "delete", "patch", "apply" })
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void namespaceThatIsBeingDeleted_isFollowedByCalls(String operation, RealServer server) throws Exception {
		String name = namespace(server);
		try (InformerFactory factory = InformerFactory.create(client(server));
				Reconcilers reconcilers = Reconcilers.of(factory, ObjectWriter.of(factory, "tests"))) {
			ObjectWriter writer = ObjectWriter.of(factory, "tests");
			SharedIndexInformer<V1Namespace> namespaces = factory.informer(V1Namespace.class,
					(options) -> options.fieldSelector("metadata.name=" + name));
			// the primary object is another one: this one is being deleted
			reconcilers.add(configMaps(factory, name), (primary, context) -> {
				this.calls.add(String.valueOf(value(primary)));
				V1Namespace cached = namespaces.lister().get(name).orElseThrow();
				switch (operation) {
					case "delete" -> writer.delete(cached);
					case "patch" -> writer.patch(cached, (copy) -> copy.getMetadata()
						.putAnnotationsItem("patched", String.valueOf(this.calls.size())));
					default -> writer.apply(new V1Namespace().metadata(new V1ObjectMeta().name(name)
						.putAnnotationsItem("applied", String.valueOf(this.calls.size()))));
				}
				return null;
			}, (options) -> options.owns(namespaces));
			CoreV1Api core = new CoreV1Api(client(server));
			core.createNamespacedConfigMap(name, configMap(name)).execute();
			if (!operation.equals("delete")) {
				core.deleteNamespace(name).execute();
			}
			reconcilers.start();
			awaitExternal().until(() -> this.calls.size() == 1);
			change(server, name);
			awaitExternal().atMost(Duration.ofSeconds(4)).until(() -> this.calls.contains("changed"));
		}
	}

	private void undo(RealServer server, Action action) throws Exception {
		this.watches.hold();
		action.run();
		server.requireControlPlane().restoreEtcd();
		this.watches.cut();
	}

	private static SharedIndexInformer<V1ConfigMap> configMaps(InformerFactory factory, String namespace) {
		return factory.informer(V1ConfigMap.class,
				(options) -> options.namespaces(namespace).fieldSelector("metadata.name=primary"));
	}

	private static V1ConfigMap configMap(String namespace) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace(namespace).name("primary"));
	}

	private static @Nullable String value(V1ConfigMap primary) {
		return (primary.getData() != null) ? primary.getData().get("key") : null;
	}

	private static void change(RealServer server, String namespace) throws Exception {
		CoreV1Api core = new CoreV1Api(client(server));
		awaitExternal().ignoreExceptions().until(() -> {
			V1ConfigMap current = core.readNamespacedConfigMap("primary", namespace).execute();
			core.replaceNamespacedConfigMap("primary", namespace, current.data(Map.of("key", "changed"))).execute();
			return true;
		});
	}

	private static boolean isGone(RealServer server, String namespace) throws IOException {
		try {
			new CoreV1Api(client(server)).readNamespacedSecret("owned", namespace).execute();
			return false;
		}
		catch (ApiException ex) {
			return ex.getCode() == 404;
		}
	}

	private static String namespace(RealServer server) throws Exception {
		String name = "hold-" + UUID.randomUUID();
		new CoreV1Api(client(server)).createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(name)))
			.execute();
		return name;
	}

	private static ApiClient client(RealServer server) throws IOException {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
	}

	private interface Action {

		void run() throws Exception;

	}

	/**
	 * Holds the watches of a resource, and lets them end without what they had to tell.
	 */
	private static final class HeldWatches implements Interceptor {

		private String path = "";

		private int generation;

		private boolean held;

		ApiClient applyTo(ApiClient client, String path) {
			this.path = path;
			client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(this).build());
			return client;
		}

		synchronized void hold() {
			this.held = true;
		}

		synchronized void cut() {
			this.held = false;
			this.generation++;
			notifyAll();
		}

		private synchronized int generation() {
			return this.generation;
		}

		private synchronized void await(int opened) throws IOException {
			try {
				while (this.held) {
					wait();
				}
			}
			catch (InterruptedException ex) {
				throw new IOException(ex);
			}
			if (opened != this.generation) {
				throw new IOException("The connection was reset");
			}
		}

		@Override
		public Response intercept(Chain chain) throws IOException {
			Response response = chain.proceed(chain.request());
			if (chain.request().url().queryParameter("watch") == null
					|| !chain.request().url().encodedPath().endsWith(this.path)) {
				return response;
			}
			int opened = generation();
			ResponseBody body = response.body();
			return response.newBuilder().body(ResponseBody.create(Okio.buffer(new ForwardingSource(body.source()) {

				@Override
				public long read(Buffer sink, long byteCount) throws IOException {
					Buffer received = new Buffer();
					long count = super.read(received, byteCount);
					HeldWatches.this.await(opened);
					sink.writeAll(received);
					return count;
				}

			}), body.contentType(), body.contentLength())).build();
		}

	}

}
