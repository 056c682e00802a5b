create table message_images (
  message_id text not null references messages,
  position integer not null,
  -- as the text of the message has it; null: sent with the message
  address text,
  -- null: could not be read
  media_type text,
  -- null: could not be read, or removed because the message is answered or dropped
  content bytea,
  -- why the model does not see it; null: it does
  problem text,
  primary key (message_id, position)
);

create index message_images_content on message_images (message_id) where content is not null;
