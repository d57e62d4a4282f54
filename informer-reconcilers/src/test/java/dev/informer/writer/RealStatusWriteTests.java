/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.informer.InformerFactory;
import dev.informer.ObjectCopy;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler that writes a status while the watch is late and another writer changes the
 * same status. {@code -Dwriter.rounds=10000 -Dwriter.delay=5000} is the long form.
 */
@RealKubernetes
class RealStatusWriteTests {

	private static final String NAMESPACE = "status-writes";

	private static final int OBJECTS = 10;

	private static final int IN_A_ROW = 5;

	private static final int ROUNDS = Integer.getInteger("writer.rounds", 400);

	/** Maximum delay of the watch, in milliseconds. */
	private static final int DELAY = Integer.getInteger("writer.delay", 200);

	/** Enough for several attempts within the delay. */
	private static final Duration RETRY = Duration.ofMillis(Math.max(5, DELAY / 40));

	@Test
	@Timeout(3600)
	void statusOfOthers_isNeverOverwritten(RealServer server) throws Exception {
		ApiClient foreign = client(server);
		AppsV1Api apps = new AppsV1Api(foreign);
		new CoreV1Api(foreign).createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(NAMESPACE)))
			.execute();
		for (int i = 0; i < OBJECTS; i++) {
			apps.createNamespacedDeployment(NAMESPACE, deployment("d" + i)).execute();
		}
		ApiClient late = new LateWatches(DELAY).applyTo(client(server));
		try (InformerFactory factory = InformerFactory.create(late)) {
			AtomicInteger written = new AtomicInteger();
			AtomicInteger conflicts = new AtomicInteger();
			ObjectWriter writer = ObjectWriter.of(factory, "status", (write) -> {
				try {
					write.proceed();
					written.incrementAndGet();
				}
				catch (ObjectWriteException ex) {
					conflicts.addAndGet((ex.getCode() == 409) ? 1 : 0);
					throw ex;
				}
			});
			SharedIndexInformer<V1Deployment> informer = factory.informer(V1Deployment.class,
					(options) -> options.namespaces(NAMESPACE));
			informer.addHandler((event) -> follow(writer, informer, event.object()), (options) -> options.concurrency(8)
				.retry(new RetryPolicy(RetryPolicy.UNLIMITED, RETRY, 1, RETRY, Duration.ZERO)));
			informer.start();
			assertThat(informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
			int[] expected = new int[OBJECTS];
			for (int round = 0; round < ROUNDS; round++) {
				// in a row, so that a slow machine has conflicts, too
				int object = round / IN_A_ROW % OBJECTS;
				increment(apps, "d" + object);
				expected[object]++;
			}
			awaitExternal().atMost(Duration.ofMinutes(5))
				.untilAsserted(
						() -> IntStream.range(0, OBJECTS).forEach((i) -> assertFollowed(apps, "d" + i, expected[i])));
			assertThat(conflicts).hasPositiveValue();
			System.out.printf("%,d changes of another writer, %,d own ones, %,d conflicts%n", ROUNDS, written.get(),
					conflicts.get());
		}
	}

	/**
	 * Copy the number of the other writer, unless that was done. A late cache makes this
	 * a conflict.
	 */
	private static void follow(ObjectWriter writer, SharedIndexInformer<V1Deployment> informer, V1Deployment event)
			throws ApiException {
		V1Deployment current = informer.lister().get(NAMESPACE, event.getMetadata().getName()).orElseThrow();
		V1DeploymentStatus status = current.getStatus();
		long observed = (status != null && status.getObservedGeneration() != null) ? status.getObservedGeneration() : 0;
		int replicas = (status != null && status.getReplicas() != null) ? status.getReplicas() : 0;
		if (observed != replicas) {
			V1Deployment copy = ObjectCopy.of(current);
			copy.getStatus().setReplicas((int) observed);
			writer.updateStatus(copy);
		}
	}

	private static void increment(AppsV1Api apps, String name) throws ApiException {
		while (true) {
			V1Deployment current = apps.readNamespacedDeployment(name, NAMESPACE).execute();
			V1DeploymentStatus status = (current.getStatus() != null) ? current.getStatus() : new V1DeploymentStatus();
			Long observed = status.getObservedGeneration();
			status.setObservedGeneration((observed != null) ? observed + 1 : 1);
			try {
				apps.replaceNamespacedDeploymentStatus(name, NAMESPACE, current.status(status)).execute();
				return;
			}
			catch (ApiException ex) {
				if (ex.getCode() != 409) {
					throw ex;
				}
			}
		}
	}

	private static void assertFollowed(AppsV1Api apps, String name, int expected) {
		V1DeploymentStatus status;
		try {
			status = apps.readNamespacedDeployment(name, NAMESPACE).execute().getStatus();
		}
		catch (ApiException ex) {
			throw new AssertionError(ex);
		}
		assertThat(status.getObservedGeneration()).as(name).isEqualTo(expected);
		assertThat(status.getReplicas()).as(name).isEqualTo(expected);
	}

	private static ApiClient client(RealServer server) throws IOException {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
	}

	private static V1Deployment deployment(String name) {
		Map<String, String> labels = Map.of("app", name);
		return new V1Deployment().metadata(new V1ObjectMeta().name(name))
			.spec(new V1DeploymentSpec().selector(new V1LabelSelector().matchLabels(labels))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels))
					.spec(new V1PodSpec().addContainersItem(new V1Container().name("web").image("web:1")))));
	}

}
