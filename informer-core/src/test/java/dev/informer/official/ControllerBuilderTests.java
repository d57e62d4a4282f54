/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.official;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerFactory;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Verb;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.extended.controller.ControllerManager;
import io.kubernetes.client.extended.controller.builder.ControllerBuilder;
import io.kubernetes.client.extended.controller.builder.DefaultControllerBuilder;
import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OfficialInformers} with a controller of
 * {@link DefaultControllerBuilder}, which copies a value in each config map.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ControllerBuilderTests {

	private static final String NAMESPACE = "controlled";

	@Test
	void controller_reconcilesOnTheSharedCache() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			reconcile(new ApiClient().setBasePath(kubernetes.url()));
			// no second list or watch beside that of the informer
			assertThat(kubernetes.requests(Verb.LIST, "configmaps")).hasSize(1);
			assertThat(kubernetes.requests(Verb.WATCH, "configmaps")).hasSize(1);
		}
	}

	@Test
	@RealKubernetes
	void controllerOnRealServer_reconcilesOnTheSharedCache(RealServer server) throws Exception {
		reconcile(RealConfigMaps.client(server));
	}

	private static void reconcile(ApiClient client) throws Exception {
		CoreV1Api core = new CoreV1Api(client);
		core.createNamespace(TestObjects.namespace(NAMESPACE)).execute();
		create(core, "before", "1");
		EventLog<V1ConfigMap> log = new EventLog<>();
		try (InformerFactory informers = InformerFactory.create(client)) {
			SharedIndexInformer<V1ConfigMap> maps = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces(NAMESPACE));
			maps.addHandler(log);
			SharedInformerFactory factory = OfficialInformers.factory(maps);
			CopyingReconciler reconciler = new CopyingReconciler(core, OfficialInformers.lister(maps));
			Controller controller = ControllerBuilder.defaultBuilder(factory)
				.watch((queue) -> ControllerBuilder.controllerWatchBuilder(V1ConfigMap.class, queue).build())
				.withReadyFunc(maps::hasSynced)
				.withReconciler(reconciler)
				.withWorkerCount(2)
				.build();
			ControllerManager manager = ControllerBuilder.controllerManagerBuilder(factory)
				.addController(controller)
				.build();
			Thread runner = new Thread(manager::run, "controller-manager");
			runner.start();
			awaitCopies(core, Map.of("before", "1"));
			create(core, "after", "2");
			awaitCopies(core, Map.of("before", "1", "after", "2"));
			change(core, "before", "3");
			awaitCopies(core, Map.of("before", "3", "after", "2"));
			core.deleteNamespacedConfigMap("after", NAMESPACE).execute();
			awaitExternal().until(() -> reconciler.deleted.contains("after"));
			assertThat(reconciler.requeued).contains("before", "after");
			manager.shutdown();
			runner.join(TimeUnit.SECONDS.toMillis(60));
			assertThat(runner.isAlive()).isFalse();
			assertThat(maps.state().phase()).isEqualTo(Phase.STOPPED);
		}
		assertThat(log.problems()).isEmpty();
	}

	private static void create(CoreV1Api core, String name, String value) throws ApiException {
		core.createNamespacedConfigMap(NAMESPACE, TestObjects.configMap(NAMESPACE, name).data(Map.of("key", value)))
			.execute();
	}

	private static void change(CoreV1Api core, String name, String value) throws ApiException {
		core.replaceNamespacedConfigMap(name, NAMESPACE,
				TestObjects.configMap(NAMESPACE, name).data(Map.of("key", value)))
			.execute();
	}

	private static void awaitCopies(CoreV1Api core, Map<String, String> expected) {
		awaitExternal().untilAsserted(() -> {
			for (Map.Entry<String, String> entry : expected.entrySet()) {
				V1ConfigMap map = core.readNamespacedConfigMap(entry.getKey(), NAMESPACE).execute();
				assertThat(map.getData()).containsEntry("copy", entry.getValue());
			}
		});
	}

	/**
	 * Reconciler that copies a value within a config map. The first attempt for each one
	 * requests another.
	 */
	private static final class CopyingReconciler implements Reconciler {

		private final Set<String> requeued = ConcurrentHashMap.newKeySet();

		private final List<String> deleted = new CopyOnWriteArrayList<>();

		private final CoreV1Api core;

		private final Lister<V1ConfigMap> lister;

		CopyingReconciler(CoreV1Api core, Lister<V1ConfigMap> lister) {
			this.core = core;
			this.lister = lister;
		}

		@Override
		public Result reconcile(Request request) {
			V1ConfigMap map = this.lister.namespace(request.getNamespace()).get(request.getName());
			if (map == null) {
				this.deleted.add(request.getName());
				return new Result(false);
			}
			if (this.requeued.add(request.getName())) {
				return new Result(true);
			}
			String value = map.getData().get("key");
			if (value == null || value.equals(map.getData().get("copy"))) {
				return new Result(false);
			}
			V1ConfigMap copied = TestObjects.configMap(NAMESPACE, request.getName())
				.data(Map.of("key", value, "copy", value));
			copied.getMetadata().setResourceVersion(map.getMetadata().getResourceVersion());
			try {
				this.core.replaceNamespacedConfigMap(request.getName(), NAMESPACE, copied).execute();
				return new Result(false);
			}
			catch (ApiException ex) {
				// a conflict: the cache is older than the server
				return new Result(true);
			}
		}

	}

}
