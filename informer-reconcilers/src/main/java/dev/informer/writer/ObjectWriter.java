/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.util.List;
import java.util.function.Consumer;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.client.CustomResource;
import dev.informer.support.Arguments;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Writer of objects, on the connection of the informers of a factory. Objects are models
 * of the official client, of classes annotated with {@link CustomResource}, or
 * {@link DynamicKubernetesObject}s, whose resource is discovered by their kind.
 * <p>
 * Properties of classes that are {@code null} are not sent. Neither are empty lists and
 * maps where the constructor of the class creates an empty one, as those of the official
 * models do: the API server would take each for a request. The tree of a
 * {@link DynamicKubernetesObject} is sent as it is.
 * <p>
 * Each method blocks until the server has answered, at most 30 s. An interrupt of the
 * thread ends the wait on a connection of HTTP/2, which API servers use. Arguments are
 * never modified. An invalid argument, such as an object without a name, causes an
 * {@link IllegalArgumentException} before any request; a failed request causes an
 * {@link ObjectWriteException}.
 * <p>
 * The cache of an informer does not contain an answer before its watch has delivered it:
 * see {@link SharedIndexInformer#awaitAtLeast(KubernetesObject, java.time.Duration)}.
 * <p>
 * Thread-safe.
 */
public interface ObjectWriter {

	/**
	 * Create a writer.
	 * @param factory the factory whose connection and caches are used
	 * @param fieldManager the name of the field manager, such as that of the application:
	 * 1 to 128 printable characters
	 * @param interceptors the interceptors of each write, the first of which is the
	 * outermost
	 * @return the writer
	 * @throws IllegalArgumentException if the name is invalid
	 * @see <a href=
	 * "https://kubernetes.io/docs/reference/using-api/server-side-apply/#managers">Managers</a>
	 */
	static ObjectWriter of(InformerFactory factory, String fieldManager, WriteInterceptor... interceptors) {
		Arguments.require("create an ObjectWriter", "factory", factory);
		return new DefaultObjectWriter(factory, fieldManager, List.of(interceptors));
	}

	/**
	 * Return a writer with another field manager. Everything else is shared with this
	 * one.
	 * @param fieldManager the name of the field manager
	 * @return the writer
	 * @throws IllegalArgumentException if the name is invalid
	 */
	ObjectWriter withFieldManager(String fieldManager);

	/**
	 * Return a writer whose applies fail with 409 if another field manager owns a field
	 * and has another value for it.
	 * @return the writer
	 */
	ObjectWriter withConflicts();

	/**
	 * Return a writer whose applies with an owner also take an object that exists without
	 * a controller: it keeps what others have put into it, and is deleted after its
	 * owner. An INFO names each such object.
	 * @return the writer
	 */
	ObjectWriter withAdoption();

	/**
	 * Create an object without an owner.
	 * @param <T> the type of the object
	 * @param desired the object
	 * @return the object as the server has stored it
	 * @throws ObjectWriteException if the request fails
	 * @see #create(KubernetesObject, KubernetesObject)
	 */
	<T extends KubernetesObject> T create(T desired) throws ObjectWriteException;

	/**
	 * Create an object of an owner.
	 * @param <T> the type of the object
	 * @param desired the object, with a name or the prefix of a generated one
	 * @param owner the object that becomes the controller of the desired one, which is
	 * deleted after its controller. A desired object without a namespace belongs to that
	 * of its owner
	 * @return the object as the server has stored it
	 * @throws IllegalArgumentException if the object has a status that is known to be a
	 * subresource, which {@link #updateStatus} writes afterwards. The status that the
	 * constructor of its class sets is ignored
	 * @throws ObjectWriteException if the request fails, with code 409 if the object
	 * exists, and reason {@code NotStored} if the server has created it without the
	 * status, or without a property of a custom resource
	 */
	<T extends KubernetesObject> T create(T desired, KubernetesObject owner) throws ObjectWriteException;

	/**
	 * Apply an object without an owner.
	 * @param <T> the type of the object
	 * @param desired the fields to apply
	 * @return the object
	 * @throws ObjectWriteException if the request fails
	 * @see #apply(KubernetesObject, KubernetesObject)
	 */
	<T extends KubernetesObject> T apply(T desired) throws ObjectWriteException;

	/**
	 * Create an object, or change the fields that are set here and remove those that the
	 * same field manager applied before and that are no longer set (server-side apply).
	 * Fields of others remain. Nothing is sent if an informer that follows the server has
	 * the object as it was after the last apply of the same fields: in the same
	 * generation (in the same version, if its resource has no generations), with the same
	 * labels, annotations, owners and finalizers; or in the same version, if a transform
	 * of the informer removes any of these.
	 * @param <T> the type of the object
	 * @param desired the fields to apply, with the name. A copy of an existing object
	 * claims all of its fields
	 * @param owner the object that is to be its controller: the object is created, or
	 * changed if that is its controller already
	 * @return the object as the server has stored it; a copy of the one of the cache if
	 * nothing was sent
	 * @throws IllegalArgumentException if the object has a status that is known to be a
	 * subresource, as for {@link #create(KubernetesObject, KubernetesObject)}
	 * @throws ObjectWriteException if the request fails, with reason {@code NotStored} if
	 * the server has not stored the status, or a property of a custom resource,
	 * {@code OwnedByAnother} if another owner is the controller of the object, and
	 * {@code NotOwned} if it exists without one
	 * @see #withAdoption()
	 * @see <a href=
	 * "https://kubernetes.io/docs/reference/using-api/server-side-apply/">Server-Side
	 * Apply</a>
	 */
	<T extends KubernetesObject> T apply(T desired, KubernetesObject owner) throws ObjectWriteException;

	/**
	 * Replace an object, apart from its status if that is a subresource. Fields that its
	 * class does not have are lost, as are those that a transform of the informer has
	 * removed: prefer {@link #patch}. Nothing is sent if the cache has the same object.
	 * @param <T> the type of the object
	 * @param object a modified copy of an object that was read, with its version
	 * @return the object as the server has stored it; a copy of the one of the cache if
	 * nothing was sent
	 * @throws IllegalArgumentException if the status was changed and is known to be a
	 * subresource, which {@link #updateStatus} writes
	 * @throws ObjectWriteException if the request fails, with code 409 if the object has
	 * another version now, and reason {@code NotStored} if the server has not stored a
	 * changed status, or a property of a custom resource
	 * @see dev.informer.ObjectCopy#of
	 */
	<T extends KubernetesObject> T update(T object) throws ObjectWriteException;

	/**
	 * Replace the status of an object, and nothing else. Nothing is sent if the cache has
	 * the same object.
	 * @param <T> the type of the object
	 * @param object a copy of an object that was read, with its version and another
	 * status
	 * @return the object as the server has stored it; a copy of the one of the cache if
	 * nothing was sent
	 * @throws IllegalArgumentException if something else was changed, apart from the
	 * metadata, and the cache has the object in the same version
	 * @throws ObjectWriteException if the request fails, with code 409 if the object has
	 * another version now, 404 also if its resource has no status subresource, and reason
	 * {@code NotStored} if the definition of a custom resource lacks a property, or the
	 * server has ignored a change of something else
	 */
	<T extends KubernetesObject> T updateStatus(T object) throws ObjectWriteException;

	/**
	 * Change some properties of an object (JSON merge patch). Only these are sent;
	 * nothing if none is changed. A list is replaced as a whole, without what its class
	 * does not have or a transform has removed, and only if the object still has the
	 * version that was read.
	 * @param <T> the type of the object
	 * @param object the object as it was read
	 * @param change the change of a copy of it
	 * @return the object as the server has stored it; a copy of the argument if nothing
	 * was sent
	 * @throws IllegalArgumentException if the status is changed and is a subresource,
	 * which {@link #updateStatus} writes. For a custom resource, the discovery API is
	 * asked once
	 * @throws ObjectWriteException if the request fails, with code 422 if another object
	 * has the name now, 409 if a list is changed and the object has another version, and
	 * reason {@code NotStored} if the server has not stored what was changed
	 */
	<T extends KubernetesObject> T patch(T object, Consumer<T> change) throws ObjectWriteException;

	/**
	 * Delete an object, and then those that it owns. Does nothing if it is gone; another
	 * object that has its name now remains.
	 * @param object the object as it was read
	 * @return whether it existed. It continues to exist while it has finalizers
	 * @throws ObjectWriteException if the request fails
	 * @see SharedIndexInformer#awaitDeleted
	 */
	boolean delete(KubernetesObject object) throws ObjectWriteException;

	/**
	 * Delete an object if it still has the version that was read, and then those that it
	 * owns. Does nothing if it is gone.
	 * @param object the object as it was read
	 * @return whether it existed. It continues to exist while it has finalizers
	 * @throws ObjectWriteException if the request fails, with code 409 if the object has
	 * another version now, or another object has its name
	 */
	boolean deleteUnchanged(KubernetesObject object) throws ObjectWriteException;

}
