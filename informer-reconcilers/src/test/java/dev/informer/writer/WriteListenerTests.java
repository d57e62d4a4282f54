/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InformerFactory;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link WriteListener} with answers that leave open what the server does.
 */
class WriteListenerTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final AtomicInteger sent = new AtomicInteger();

	private final List<String> notes = new ArrayList<>();

	@BeforeEach
	void listen() {
		this.kubernetes.create(TestObjects.namespace("shop"));
		WriteListener.listen(new WriteListener() {

			@Override
			public void written(Operation operation, ResourceType<?> type, KubernetesObject answer) {
				WriteListenerTests.this.notes.add("written");
			}

			@Override
			public void unanswered(ResourceType<?> type, ObjectState object) {
				WriteListenerTests.this.notes.add("unanswered");
			}

		});
	}

	@AfterEach
	void close() {
		WriteListener.listen(null);
		this.kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 408, 500, 503, 504 })
	void answerOfAGateway_leavesOpenWhatTheServerDoes_andIsNotRepeated(int code) throws Exception {
		create((chain) -> answer(chain, code), (writer) -> assertThatExceptionOfType(ObjectWriteException.class)
			.isThrownBy(() -> writer.create(TestObjects.configMap("shop", "a"))));
		assertThat(this.notes).containsExactly("unanswered");
		assertThat(this.sent).hasValue(1);
	}

	@Test
	void refusal_isAnAnswer() throws Exception {
		create((chain) -> answer(chain, 422), (writer) -> assertThatExceptionOfType(ObjectWriteException.class)
			.isThrownBy(() -> writer.create(TestObjects.configMap("shop", "a"))));
		assertThat(this.notes).isEmpty();
	}

	@Test
	void exceptionOfAnInterceptorOfTheClient_leavesOpenWhatTheServerDoes() throws Exception {
		create((chain) -> {
			chain.proceed(chain.request()).close();
			throw new IllegalStateException("for the test");
		}, (writer) -> assertThatIllegalStateException()
			.isThrownBy(() -> writer.create(TestObjects.configMap("shop", "a"))));
		assertThat(this.notes).containsExactly("unanswered");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[{\"manager\":\"tests\",\"operation\":\"Apply\"}]",
			"[{\"manager\":\"tests\",\"operation\":\"Apply\",\"time\":\"never\"}]", "[null]", "\"text\"", "[1]" })
	void managedFieldsOfAnyShape_failNoRepeatedApply(String managedFields) throws Exception {
		String answer = """
				{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"shop","name":"a","uid":"1",
				"resourceVersion":"5","managedFields":%s}}""".formatted(managedFields);
		create((chain) -> chain.proceed(chain.request())
			.newBuilder()
			.body(ResponseBody.create(answer, MediaType.get("application/json")))
			.build(), (writer) -> {
				writer.apply(TestObjects.configMap("shop", "a"));
				writer.apply(TestObjects.configMap("shop", "a"));
			});
		assertThat(this.notes).containsExactly("written", "written");
	}

	private Response answer(Interceptor.Chain chain, int code) throws IOException {
		this.sent.incrementAndGet();
		return chain.proceed(chain.request()).newBuilder().code(code).message("").header("Retry-After", "0").build();
	}

	private void create(Interceptor interceptor, Writing writing) throws Exception {
		ApiClient client = new ClientBuilder().setBasePath(this.kubernetes.url()).build();
		client.setHttpClient(client.getHttpClient().newBuilder().addNetworkInterceptor(interceptor).build());
		try (InformerFactory factory = InformerFactory.create(client)) {
			writing.write(ObjectWriter.of(factory, "tests"));
		}
	}

	private interface Writing {

		void write(ObjectWriter writer) throws Exception;

	}

}
